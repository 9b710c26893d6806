(* Of 24 analyses with limits four grow without end, and the others keep nothing: some of these were
   found to exceed the limit, others in each run. *)

let rec grow l = grow (Sys.opaque_identity (1 :: l))

let keep_nothing () =
  for _ = 1 to 8_000_000 do
    ignore (Sys.opaque_identity (ref 0) : int ref)
  done

let is_guilty i = i mod 6 = 5

let is_stopped i =
  let analysis = if is_guilty i then fun () -> grow [] else keep_nothing in
  match Drover.Scope.limited ~heap:8_000_000 analysis with
  | () -> false
  | exception Drover.Scope.Exceeded _ -> true

let () =
  Case.main ~seconds:60. @@ fun () ->
  let stopped = Drover.run ~domains:4 (fun () -> Drover.Array.init 24 is_stopped) in
  let wrong = List.filter (fun i -> stopped.(i) <> is_guilty i) (List.init 24 Fun.id) in
  Case.expect (wrong = []) "%d of 24 verdicts are wrong" (List.length wrong)
