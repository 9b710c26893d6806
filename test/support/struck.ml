exception Struck
exception Own

(* In a program: nothing is allocated, and so struck, where it holds. *)
let check what holds = if not holds then Alcotest.fail what

(* Where the library blocks signals, no handler comes. *)
let strike () = if not (List.mem Sys.sigint (Thread.sigmask SIG_BLOCK [])) then raise Struck

let at_each_allocation ?again domains make () =
  let law moment =
    let program, check_after = make () in
    (match Interrupted.at ?again moment strike (fun () -> Drover.run ~domains program) with
    | () -> ()
    | exception (Struck | Own | Drover.Cancelled _) -> ());
    check_after ()
  in
  let n = Interrupted.at_each law in
  check "it was tried" (n > 50)

let on domains = List.map (fun (name, make) -> Watchdog.case name (at_each_allocation domains make))
let on_domains cases = [ ("one domain", on 1 cases); ("two domains", on 2 cases) ]
