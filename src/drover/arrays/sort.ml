(* Sort: elements go from a copy of the array to the array and another one by turns. A comparison
   that raises leaves the array as it was: then they come back from the copy. *)

open Values

(* More than a piece: others must come for it. *)
let grain = 2 * grain

(* [f] with the pieces of its work gathered. *)
let in_parallel compare f =
  Error_group.run (fun errors -> Pool.inside (fun () -> f { compare; errors }))

let alone compare f = f { compare; errors = Error_group.create () }

let copy_back sorted a =
  Spread.light (Array.length a) (fun lo hi -> blit sorted lo a lo (hi + 1 - lo))

let sort_from original cmp a =
  let n = Array.length a in
  let scratch = Array.copy original in
  if n <= grain then alone cmp (fun order -> Sort_values.sort_serially order original scratch a 0 n)
  else in_parallel cmp (fun order -> Sort_values.sort order original scratch a 0 n)

let stable cmp a =
  Point.pass ();
  if Array.length a > 1 then begin
    let original = Array.copy a in
    try sort_from original cmp a
    with exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      Array.blit original 0 a 0 (Array.length a);
      Printexc.raise_with_backtrace exn backtrace
  end

let merge cmp a b =
  Point.pass ();
  let src = Array.append a b in
  let dst = Array.copy src in
  let n1 = Array.length a and n = Array.length src in
  if n <= 4 * grain then
    alone cmp (fun order -> Sort_values.merge_serially order src 0 n1 n1 n dst 0)
  else
    in_parallel cmp (fun order -> Sort_values.(merge order ~most:(most_of n)) src 0 n1 n1 n dst 0);
  dst
