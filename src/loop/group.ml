(* Group: elements by their keys, brought together by a stable sort. *)

let by ~compare key a =
  let keyed = Arrays_map.map (fun x -> (key x, x)) a in
  Sort.stable (fun (k, _) (l, _) -> compare k l) keyed;
  let n = Array.length keyed in
  let starts_group i = i = 0 || compare (fst keyed.(i - 1)) (fst keyed.(i)) <> 0 in
  let starts = Pack.select (Pack.mark n starts_group) true (Array.init n Fun.id) in
  let groups = Array.length starts in
  let group g =
    let first = starts.(g) in
    let next = if g + 1 < groups then starts.(g + 1) else n in
    (fst keyed.(first), Array.init (next - first) (fun i -> snd keyed.(first + i)))
  in
  Arrays_map.init groups group
