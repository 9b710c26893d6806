let check caller ok = if not ok then invalid_arg ("Drover.Array." ^ caller ^ ": out of bounds")
let holds a pos len = pos >= 0 && len >= 0 && pos <= Array.length a - len

let fill a pos len x =
  check "fill" (holds a pos len);
  Spread.light len (fun lo hi -> Array.fill a (pos + lo) (hi - lo + 1) x)

let blit src src_pos dst dst_pos len =
  check "blit" (holds src src_pos len && holds dst dst_pos len);
  if src == dst && abs (src_pos - dst_pos) < len then Array.blit src src_pos dst dst_pos len
  else
    Spread.light len (fun lo hi -> Array.blit src (src_pos + lo) dst (dst_pos + lo) (hi - lo + 1))

let copy = Array.copy

(* OCaml 5.4's empty part of an array of floats is not equal to [[||]]. *)
let sub a pos len =
  check "sub" (holds a pos len);
  if len = 0 then [||] else Array.sub a pos len

(* An array of [n] elements, made from any of them. *)
let make_like n x write =
  let r = Array.make n x in
  Spread.light n (write r);
  r

let rev a =
  let n = Array.length a in
  if n = 0 then [||]
  else
    make_like n a.(0) (fun r lo hi ->
        for i = lo to hi do
          Array.unsafe_set r i (Array.unsafe_get a (n - 1 - i))
        done)

let zip a b =
  Arrays_map.same_length "zip" a b;
  let n = Array.length a in
  if n = 0 then [||]
  else
    make_like n
      (a.(0), b.(0))
      (fun r lo hi ->
        for i = lo to hi do
          Array.unsafe_set r i (Array.unsafe_get a i, Array.unsafe_get b i)
        done)

let unzip a =
  let n = Array.length a in
  if n = 0 then ([||], [||])
  else
    let x, y = a.(0) in
    let firsts = Array.make n x in
    let seconds =
      make_like n y (fun seconds lo hi ->
          for i = lo to hi do
            let x, y = Array.unsafe_get a i in
            Array.unsafe_set firsts i x;
            Array.unsafe_set seconds i y
          done)
    in
    (firsts, seconds)

let concat_all arrays =
  let starts = Array.map Array.length arrays in
  let total = Pack.offsets starts in
  match Array.find_opt (fun a -> Array.length a > 0) arrays with
  | None -> [||]
  | Some _ when total <= Spread.block -> Array.concat (Array.to_list arrays)
  | Some some ->
      let r = Array.make total some.(0) in
      Loops.iter ~start:0
        ~finish:(Array.length arrays - 1)
        (fun i -> blit arrays.(i) 0 r starts.(i) (Array.length arrays.(i)));
      r

let concat l = concat_all (Array.of_list l)
let of_seq = Array.of_seq
let to_list = Array.to_list
