(* The standard library's mutable structures, whose calls read or change a structure as a whole; of arrays and bytes
   they do so with some elements. What is not named here is as it was. *)

open Tell

module Array = struct
  include Stdlib.Array

  let iter f a = iter f (reading_all a)
  let iteri f a = iteri f (reading_all a)
  let map f a = map f (reading_all a)
  let mapi f a = mapi f (reading_all a)
  let map2 f a b = map2 f (reading_all a) (reading_all b)
  let iter2 f a b = iter2 f (reading_all a) (reading_all b)
  let fold_left f x a = fold_left f x (reading_all a)
  let fold_right f a x = fold_right f (reading_all a) x
  let fold_left_map f x a = fold_left_map f x (reading_all a)
  let for_all f a = for_all f (reading_all a)
  let exists f a = exists f (reading_all a)
  let for_all2 f a b = for_all2 f (reading_all a) (reading_all b)
  let exists2 f a b = exists2 f (reading_all a) (reading_all b)
  let mem x a = mem x (reading_all a)
  let memq x a = memq x (reading_all a)
  let find_opt f a = find_opt f (reading_all a)
  let find_index f a = find_index f (reading_all a)
  let find_map f a = find_map f (reading_all a)
  let find_mapi f a = find_mapi f (reading_all a)
  let equal eq a b = equal eq (reading_all a) (reading_all b)
  let compare c a b = compare c (reading_all a) (reading_all b)
  let split a = split (reading_all a)
  let combine a b = combine (reading_all a) (reading_all b)
  let to_list a = to_list (reading_all a)
  let to_seq a = to_seq (reading_all a)
  let to_seqi a = to_seqi (reading_all a)
  let copy a = copy (reading_all a)
  let append a b = append (reading_all a) (reading_all b)

  let concat l =
    Stdlib.List.iter (fun a -> ignore (reading_all a)) l;
    concat l

  let sub a i n = sub (reading_part a i n) i n
  let fill a i n v = fill (writing_part a i n) i n v
  let blit a i b j n = blit (reading_part a i n) i (writing_part b j n) j n
  let sort c a = sort c (writing_all a)
  let stable_sort c a = stable_sort c (writing_all a)
  let fast_sort c a = fast_sort c (writing_all a)
  let map_inplace f a = map_inplace f (writing_all a)
  let mapi_inplace f a = mapi_inplace f (writing_all a)
  let shuffle ~rand a = shuffle ~rand (writing_all a)
end

module Bytes = struct
  include Stdlib.Bytes

  let reading_bytes b = reading_part_of_bytes b 0 (length b)
  let copy b = copy (reading_bytes b)
  let to_string b = to_string (reading_bytes b)
  let sub b i n = sub (reading_part_of_bytes b i n) i n
  let sub_string b i n = sub_string (reading_part_of_bytes b i n) i n
  let fill b i n c = fill (writing_part_of_bytes b i n) i n c
  let blit a i b j n = blit (reading_part_of_bytes a i n) i (writing_part_of_bytes b j n) j n
  let blit_string a i b j n = blit_string a i (writing_part_of_bytes b j n) j n
  let cat a b = cat (reading_bytes a) (reading_bytes b)
  let iter f b = iter f (reading_bytes b)
  let iteri f b = iteri f (reading_bytes b)
  let map f b = map f (reading_bytes b)
  let mapi f b = mapi f (reading_bytes b)
  let fold_left f x b = fold_left f x (reading_bytes b)
  let fold_right f b x = fold_right f (reading_bytes b) x
  let exists f b = exists f (reading_bytes b)
  let for_all f b = for_all f (reading_bytes b)
  let index b c = index (reading_bytes b) c
  let index_opt b c = index_opt (reading_bytes b) c
  let to_seq b = to_seq (reading_bytes b)
  let get_uint8 b i = get_uint8 (reading_part_of_bytes b i 1) i
  let get_int8 b i = get_int8 (reading_part_of_bytes b i 1) i
  let get_uint16_le b i = get_uint16_le (reading_part_of_bytes b i 2) i
  let get_uint16_be b i = get_uint16_be (reading_part_of_bytes b i 2) i
  let get_int32_le b i = get_int32_le (reading_part_of_bytes b i 4) i
  let get_int32_be b i = get_int32_be (reading_part_of_bytes b i 4) i
  let get_int64_le b i = get_int64_le (reading_part_of_bytes b i 8) i
  let get_int64_be b i = get_int64_be (reading_part_of_bytes b i 8) i
  let set_uint8 b i v = set_uint8 (writing_part_of_bytes b i 1) i v
  let set_int8 b i v = set_int8 (writing_part_of_bytes b i 1) i v
  let set_uint16_le b i v = set_uint16_le (writing_part_of_bytes b i 2) i v
  let set_uint16_be b i v = set_uint16_be (writing_part_of_bytes b i 2) i v
  let set_int32_le b i v = set_int32_le (writing_part_of_bytes b i 4) i v
  let set_int32_be b i v = set_int32_be (writing_part_of_bytes b i 4) i v
  let set_int64_le b i v = set_int64_le (writing_part_of_bytes b i 8) i v
  let set_int64_be b i v = set_int64_be (writing_part_of_bytes b i 8) i v
end

module Hashtbl = struct
  include Stdlib.Hashtbl

  let clear h = clear (writing h)
  let reset h = reset (writing h)
  let copy h = copy (reading h)
  let add h k v = add (writing h) k v
  let remove h k = remove (writing h) k
  let find h k = find (reading h) k
  let find_opt h k = find_opt (reading h) k
  let find_all h k = find_all (reading h) k
  let replace h k v = replace (writing h) k v
  let mem h k = mem (reading h) k
  let iter f h = iter f (reading h)
  let filter_map_inplace f h = filter_map_inplace f (writing h)
  let fold f h x = fold f (reading h) x
  let length h = length (reading h)
  let to_seq h = to_seq (reading h)
  let to_seq_keys h = to_seq_keys (reading h)
  let to_seq_values h = to_seq_values (reading h)
  let add_seq h s = add_seq (writing h) s
  let replace_seq h s = replace_seq (writing h) s
  let rebuild ?random h = rebuild ?random (reading h)
  let stats h = stats (reading h)

  module Make (K : HashedType) = struct
    module Plain = Stdlib.Hashtbl.Make (K)
    include Plain
    include Std_tables.Calls (Plain)
  end

  module MakeSeeded (K : SeededHashedType) = struct
    module Plain = Stdlib.Hashtbl.MakeSeeded (K)
    include Plain
    include Std_tables.Calls (Plain)
  end
end

module Buffer = struct
  include Stdlib.Buffer

  let contents b = contents (reading b)
  let to_bytes b = to_bytes (reading b)
  let sub b i n = sub (reading b) i n
  let nth b i = nth (reading b) i
  let length b = length (reading b)
  let blit b i d j n = blit (reading b) i (writing_part_of_bytes d j n) j n
  let output_buffer c b = output_buffer c (reading b)
  let clear b = clear (writing b)
  let reset b = reset (writing b)
  let truncate b n = truncate (writing b) n
  let add_char b c = add_char (writing b) c
  let add_string b s = add_string (writing b) s
  let add_bytes b s = add_bytes (writing b) s
  let add_substring b s i n = add_substring (writing b) s i n
  let add_subbytes b s i n = add_subbytes (writing b) s i n
  let add_buffer b other = add_buffer (writing b) (reading other)
  let add_utf_8_uchar b u = add_utf_8_uchar (writing b) u
end

module Queue = struct
  include Stdlib.Queue

  let add x q = add x (writing q)
  let push x q = push x (writing q)
  let take q = take (writing q)
  let take_opt q = take_opt (writing q)
  let pop q = pop (writing q)
  let clear q = clear (writing q)
  let transfer a b = transfer (writing a) (writing b)
  let add_seq q s = add_seq (writing q) s
  let peek q = peek (reading q)
  let peek_opt q = peek_opt (reading q)
  let top q = top (reading q)
  let copy q = copy (reading q)
  let is_empty q = is_empty (reading q)
  let length q = length (reading q)
  let iter f q = iter f (reading q)
  let fold f x q = fold f x (reading q)
  let to_seq q = to_seq (reading q)
end

module Stack = struct
  include Stdlib.Stack

  let push x s = push x (writing s)
  let pop s = pop (writing s)
  let pop_opt s = pop_opt (writing s)
  let drop s = drop (writing s)
  let clear s = clear (writing s)
  let add_seq s l = add_seq (writing s) l
  let top s = top (reading s)
  let top_opt s = top_opt (reading s)
  let copy s = copy (reading s)
  let is_empty s = is_empty (reading s)
  let length s = length (reading s)
  let iter f s = iter f (reading s)
  let fold f x s = fold f x (reading s)
  let to_seq s = to_seq (reading s)
end

module Dynarray = struct
  include Stdlib.Dynarray

  let add_last d x = add_last (writing d) x
  let append d other = append (writing d) (reading other)
  let append_array d a = append_array (writing d) (reading_all a)
  let append_list d l = append_list (writing d) l
  let append_seq d s = append_seq (writing d) s
  let pop_last d = pop_last (writing d)
  let pop_last_opt d = pop_last_opt (writing d)
  let remove_last d = remove_last (writing d)
  let truncate d n = truncate (writing d) n
  let clear d = clear (writing d)
  let reset d = reset (writing d)
  let set d i x = set (writing d) i x
  let get d i = get (reading d) i
  let length d = length (reading d)
  let is_empty d = is_empty (reading d)
  let get_last d = get_last (reading d)
  let find_last d = find_last (reading d)
  let iter f d = iter f (reading d)
  let iteri f d = iteri f (reading d)
  let map f d = map f (reading d)
  let fold_left f x d = fold_left f x (reading d)
  let copy d = copy (reading d)
  let to_array d = to_array (reading d)
  let to_list d = to_list (reading d)
end
