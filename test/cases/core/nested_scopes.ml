(* A scope in scopes cost the more the deeper it was: 192 us each at a depth of 32,000. *)

let rec nest n = if n > 0 then Drover.Scope.run (fun _ -> nest (n - 1))

let microseconds_each depth =
  let start = Sys.time () in
  nest depth;
  1e6 *. (Sys.time () -. start) /. float depth

let () =
  Case.main ~seconds:60. @@ fun () ->
  let deep = Drover.run ~domains:1 (fun () -> microseconds_each 32_000) in
  Case.expect (deep < 60.) "a scope in scopes costs %.0f us at a depth of 32,000" deep
