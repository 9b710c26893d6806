(* Several methods at once, each of which may give up: the first that succeeds ends the others. *)

exception Gave_up of string

let steps_of name most step =
  let rec go i =
    Drover.Scope.check ();
    if i = most then raise (Gave_up name);
    match step i with Some factor -> factor | None -> go (i + 1)
  in
  go 0

let trial_division n () =
  steps_of "trial division" 1_000 (fun i ->
      if n mod (i + 2) = 0 then Some (i + 2) else None)

(* A square that is larger than [n] by a square. Good for near factors. *)
let fermat n () =
  let root x = Float.to_int (Float.sqrt (Float.of_int x)) in
  steps_of "fermat" 10_000 (fun i ->
      let a = 1 + root n + i in
      let b = root ((a * a) - n) in
      if a * a = n + (b * b) && a - b > 1 then Some (a - b) else None)

let pollard n () =
  let rec gcd a b = if b = 0 then a else gcd b (a mod b) in
  let next x = ((x * x) + 1) mod n in
  let slow = ref 2 and fast = ref 2 in
  steps_of "pollard" 100_000 (fun _ ->
      slow := next !slow;
      fast := next (next !fast);
      let d = gcd (abs (!slow - !fast)) n in
      if d = n then raise (Gave_up "pollard");
      if d > 1 then Some d else None)

let factor n = Drover.Scope.any [ trial_division n; fermat n; pollard n ]

let report n =
  match factor n with
  | d -> Printf.printf "%d = %d * %d\n" n (min d (n / d)) (max d (n / d))
  | exception (Gave_up _ as e) ->
      let all = e :: List.map fst (Drover.Scope.suppressed e) in
      Printf.printf "%d: all %d gave up\n" n (List.length all)

let () = List.iter report [ 1_071_514_531; 1_001_518_027; 1_073_741_827 ]
