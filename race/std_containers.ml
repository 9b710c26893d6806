(* The standard library's mutable structures, whose calls read or change a structure as a whole; of arrays and bytes
   they do so with some elements. What is not named here is as it was. *)

open Tell

module Array = struct
  include Stdlib.Array

  let iter f a =
    reads_all a;
    iter f a

  let iteri f a =
    reads_all a;
    iteri f a

  let map f a =
    reads_all a;
    map f a

  let mapi f a =
    reads_all a;
    mapi f a

  let map2 f a b =
    reads_all a;
    reads_all b;
    map2 f a b

  let iter2 f a b =
    reads_all a;
    reads_all b;
    iter2 f a b

  let fold_left f x a =
    reads_all a;
    fold_left f x a

  let fold_right f a x =
    reads_all a;
    fold_right f a x

  let fold_left_map f x a =
    reads_all a;
    fold_left_map f x a

  let for_all f a =
    reads_all a;
    for_all f a

  let exists f a =
    reads_all a;
    exists f a

  let for_all2 f a b =
    reads_all a;
    reads_all b;
    for_all2 f a b

  let exists2 f a b =
    reads_all a;
    reads_all b;
    exists2 f a b

  let mem x a =
    reads_all a;
    mem x a

  let memq x a =
    reads_all a;
    memq x a

  let find_opt f a =
    reads_all a;
    find_opt f a

  let find_index f a =
    reads_all a;
    find_index f a

  let find_map f a =
    reads_all a;
    find_map f a

  let split a =
    reads_all a;
    split a

  let combine a b =
    reads_all a;
    reads_all b;
    combine a b

  let to_list a =
    reads_all a;
    to_list a

  let to_seq a =
    reads_all a;
    to_seq a

  let to_seqi a =
    reads_all a;
    to_seqi a

  let copy a =
    reads_all a;
    copy a

  let append a b =
    reads_all a;
    reads_all b;
    append a b

  let concat l =
    Stdlib.List.iter reads_all l;
    concat l

  let sub a i n =
    reads_part a i n;
    sub a i n

  let fill a i n v =
    writes_part a i n;
    fill a i n v

  let blit a i b j n =
    reads_part a i n;
    writes_part b j n;
    blit a i b j n

  let sort c a =
    writes_all a;
    sort c a

  let stable_sort c a =
    writes_all a;
    stable_sort c a

  let fast_sort c a =
    writes_all a;
    fast_sort c a

  let map_inplace f a =
    writes_all a;
    map_inplace f a

  let mapi_inplace f a =
    writes_all a;
    mapi_inplace f a

  let shuffle ~rand a =
    writes_all a;
    shuffle ~rand a
end

module Bytes = struct
  include Stdlib.Bytes

  let reads_bytes b = reads_part_of_bytes b 0 (length b)
  let writes_bytes b = writes_part_of_bytes b 0 (length b)

  let copy b =
    reads_bytes b;
    copy b

  let to_string b =
    reads_bytes b;
    to_string b

  let sub b i n =
    reads_part_of_bytes b i n;
    sub b i n

  let sub_string b i n =
    reads_part_of_bytes b i n;
    sub_string b i n

  let fill b i n c =
    writes_part_of_bytes b i n;
    fill b i n c

  let blit a i b j n =
    reads_part_of_bytes a i n;
    writes_part_of_bytes b j n;
    blit a i b j n

  let blit_string a i b j n =
    writes_part_of_bytes b j n;
    blit_string a i b j n

  let cat a b =
    reads_bytes a;
    reads_bytes b;
    cat a b

  let iter f b =
    reads_bytes b;
    iter f b

  let iteri f b =
    reads_bytes b;
    iteri f b

  let map f b =
    reads_bytes b;
    map f b

  let mapi f b =
    reads_bytes b;
    mapi f b

  let fold_left f x b =
    reads_bytes b;
    fold_left f x b

  let fold_right f b x =
    reads_bytes b;
    fold_right f b x

  let exists f b =
    reads_bytes b;
    exists f b

  let for_all f b =
    reads_bytes b;
    for_all f b

  let index b c =
    reads_bytes b;
    index b c

  let index_opt b c =
    reads_bytes b;
    index_opt b c

  let to_seq b =
    reads_bytes b;
    to_seq b

  let reads_at b i n = reads_part_of_bytes b i n
  let writes_at b i n = writes_part_of_bytes b i n

  let get_uint8 b i =
    reads_at b i 1;
    get_uint8 b i

  let get_int8 b i =
    reads_at b i 1;
    get_int8 b i

  let get_uint16_le b i =
    reads_at b i 2;
    get_uint16_le b i

  let get_uint16_be b i =
    reads_at b i 2;
    get_uint16_be b i

  let get_int32_le b i =
    reads_at b i 4;
    get_int32_le b i

  let get_int32_be b i =
    reads_at b i 4;
    get_int32_be b i

  let get_int64_le b i =
    reads_at b i 8;
    get_int64_le b i

  let get_int64_be b i =
    reads_at b i 8;
    get_int64_be b i

  let set_uint8 b i v =
    writes_at b i 1;
    set_uint8 b i v

  let set_int8 b i v =
    writes_at b i 1;
    set_int8 b i v

  let set_uint16_le b i v =
    writes_at b i 2;
    set_uint16_le b i v

  let set_uint16_be b i v =
    writes_at b i 2;
    set_uint16_be b i v

  let set_int32_le b i v =
    writes_at b i 4;
    set_int32_le b i v

  let set_int32_be b i v =
    writes_at b i 4;
    set_int32_be b i v

  let set_int64_le b i v =
    writes_at b i 8;
    set_int64_le b i v

  let set_int64_be b i v =
    writes_at b i 8;
    set_int64_be b i v
end

module Hashtbl = struct
  include Stdlib.Hashtbl

  let clear h =
    writes h;
    clear h

  let reset h =
    writes h;
    reset h

  let copy h =
    reads h;
    copy h

  let add h k v =
    writes h;
    add h k v

  let remove h k =
    writes h;
    remove h k

  let find h k =
    reads h;
    find h k

  let find_opt h k =
    reads h;
    find_opt h k

  let find_all h k =
    reads h;
    find_all h k

  let replace h k v =
    writes h;
    replace h k v

  let mem h k =
    reads h;
    mem h k

  let iter f h =
    reads h;
    iter f h

  let filter_map_inplace f h =
    writes h;
    filter_map_inplace f h

  let fold f h x =
    reads h;
    fold f h x

  let length h =
    reads h;
    length h

  let to_seq h =
    reads h;
    to_seq h

  let to_seq_keys h =
    reads h;
    to_seq_keys h

  let to_seq_values h =
    reads h;
    to_seq_values h

  let add_seq h s =
    writes h;
    add_seq h s

  let replace_seq h s =
    writes h;
    replace_seq h s

  let rebuild ?random h =
    reads h;
    rebuild ?random h

  let stats h =
    reads h;
    stats h

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

  let contents b =
    reads b;
    contents b

  let to_bytes b =
    reads b;
    to_bytes b

  let sub b i n =
    reads b;
    sub b i n

  let nth b i =
    reads b;
    nth b i

  let length b =
    reads b;
    length b

  let blit b i d j n =
    reads b;
    writes_part_of_bytes d j n;
    blit b i d j n

  let output_buffer c b =
    reads b;
    output_buffer c b

  let clear b =
    writes b;
    clear b

  let reset b =
    writes b;
    reset b

  let truncate b n =
    writes b;
    truncate b n

  let add_char b c =
    writes b;
    add_char b c

  let add_string b s =
    writes b;
    add_string b s

  let add_bytes b s =
    writes b;
    add_bytes b s

  let add_substring b s i n =
    writes b;
    add_substring b s i n

  let add_subbytes b s i n =
    writes b;
    add_subbytes b s i n

  let add_buffer b other =
    reads other;
    writes b;
    add_buffer b other

  let add_utf_8_uchar b u =
    writes b;
    add_utf_8_uchar b u
end

module Queue = struct
  include Stdlib.Queue

  let add x q =
    writes q;
    add x q

  let push x q =
    writes q;
    push x q

  let take q =
    writes q;
    take q

  let take_opt q =
    writes q;
    take_opt q

  let pop q =
    writes q;
    pop q

  let clear q =
    writes q;
    clear q

  let transfer a b =
    writes a;
    writes b;
    transfer a b

  let add_seq q s =
    writes q;
    add_seq q s

  let peek q =
    reads q;
    peek q

  let peek_opt q =
    reads q;
    peek_opt q

  let top q =
    reads q;
    top q

  let copy q =
    reads q;
    copy q

  let is_empty q =
    reads q;
    is_empty q

  let length q =
    reads q;
    length q

  let iter f q =
    reads q;
    iter f q

  let fold f x q =
    reads q;
    fold f x q

  let to_seq q =
    reads q;
    to_seq q
end

module Stack = struct
  include Stdlib.Stack

  let push x s =
    writes s;
    push x s

  let pop s =
    writes s;
    pop s

  let pop_opt s =
    writes s;
    pop_opt s

  let drop s =
    writes s;
    drop s

  let clear s =
    writes s;
    clear s

  let add_seq s l =
    writes s;
    add_seq s l

  let top s =
    reads s;
    top s

  let top_opt s =
    reads s;
    top_opt s

  let copy s =
    reads s;
    copy s

  let is_empty s =
    reads s;
    is_empty s

  let length s =
    reads s;
    length s

  let iter f s =
    reads s;
    iter f s

  let fold f x s =
    reads s;
    fold f x s

  let to_seq s =
    reads s;
    to_seq s
end

module Dynarray = struct
  include Stdlib.Dynarray

  let add_last d x =
    writes d;
    add_last d x

  let append d other =
    reads other;
    writes d;
    append d other

  let append_array d a =
    reads_all a;
    writes d;
    append_array d a

  let append_list d l =
    writes d;
    append_list d l

  let append_seq d s =
    writes d;
    append_seq d s

  let pop_last d =
    writes d;
    pop_last d

  let pop_last_opt d =
    writes d;
    pop_last_opt d

  let remove_last d =
    writes d;
    remove_last d

  let truncate d n =
    writes d;
    truncate d n

  let clear d =
    writes d;
    clear d

  let reset d =
    writes d;
    reset d

  let set d i x =
    writes d;
    set d i x

  let get d i =
    reads d;
    get d i

  let length d =
    reads d;
    length d

  let is_empty d =
    reads d;
    is_empty d

  let get_last d =
    reads d;
    get_last d

  let find_last d =
    reads d;
    find_last d

  let iter f d =
    reads d;
    iter f d

  let iteri f d =
    reads d;
    iteri f d

  let map f d =
    reads d;
    map f d

  let fold_left f x d =
    reads d;
    fold_left f x d

  let copy d =
    reads d;
    copy d

  let to_array d =
    reads d;
    to_array d

  let to_list d =
    reads d;
    to_list d
end
