(* Arrays and bytes with labels, and arrays of floats: as in [Std_containers], what accesses many elements. *)

open Tell

module ArrayLabels = struct
  include Stdlib.ArrayLabels

  let iter ~f a = iter ~f (reading_all a)
  let iteri ~f a = iteri ~f (reading_all a)
  let map ~f a = map ~f (reading_all a)
  let mapi ~f a = mapi ~f (reading_all a)
  let fold_left ~f ~init a = fold_left ~f ~init (reading_all a)
  let fold_right ~f a ~init = fold_right ~f (reading_all a) ~init
  let for_all ~f a = for_all ~f (reading_all a)
  let exists ~f a = exists ~f (reading_all a)
  let mem x ~set = mem x ~set:(reading_all set)
  let to_list a = to_list (reading_all a)
  let copy a = copy (reading_all a)
  let append a b = append (reading_all a) (reading_all b)
  let sub a ~pos ~len = sub (reading_part a pos len) ~pos ~len
  let fill a ~pos ~len x = fill (writing_part a pos len) ~pos ~len x

  let blit ~src ~src_pos ~dst ~dst_pos ~len =
    blit ~src:(reading_part src src_pos len) ~src_pos ~dst:(writing_part dst dst_pos len) ~dst_pos
      ~len

  let sort ~cmp a = sort ~cmp (writing_all a)
  let stable_sort ~cmp a = stable_sort ~cmp (writing_all a)
  let fast_sort ~cmp a = fast_sort ~cmp (writing_all a)
end

module BytesLabels = struct
  include Stdlib.BytesLabels

  let sub b ~pos ~len = sub (reading_part_of_bytes b pos len) ~pos ~len
  let sub_string b ~pos ~len = sub_string (reading_part_of_bytes b pos len) ~pos ~len
  let fill b ~pos ~len c = fill (writing_part_of_bytes b pos len) ~pos ~len c

  let blit ~src ~src_pos ~dst ~dst_pos ~len =
    blit
      ~src:(reading_part_of_bytes src src_pos len)
      ~src_pos
      ~dst:(writing_part_of_bytes dst dst_pos len)
      ~dst_pos ~len

  let to_string b = to_string (reading_part_of_bytes b 0 (length b))
  let copy b = copy (reading_part_of_bytes b 0 (length b))
end

module StdLabels = struct
  include Stdlib.StdLabels
  module Array = ArrayLabels
  module Bytes = BytesLabels
end

module Float = struct
  include Stdlib.Float

  module Array = struct
    include Stdlib.Float.Array

    let iter f a = iter f (reading_floats a)
    let iteri f a = iteri f (reading_floats a)
    let map f a = map f (reading_floats a)
    let mapi f a = mapi f (reading_floats a)
    let fold_left f x a = fold_left f x (reading_floats a)
    let fold_right f a x = fold_right f (reading_floats a) x
    let to_list a = to_list (reading_floats a)
    let copy a = copy (reading_floats a)
    let sub a i n = sub (reading_part_of_floats a i n) i n
    let fill a i n x = fill (writing_part_of_floats a i n) i n x
    let blit a i b j n = blit (reading_part_of_floats a i n) i (writing_part_of_floats b j n) j n
    let sort c a = sort c (writing_floats a)
    let stable_sort c a = stable_sort c (writing_floats a)
    let map_inplace f a = map_inplace f (writing_floats a)
  end
end
