(* How many workers a form of parallelism reaches. A pool gets as many bodies as it has workers, and each
   blocks its worker until all have begun: so it does not matter how many processors there are, nor what
   else they do. *)

open Drover_engine
open Test_support
open Drover
open Stdlib

let check_all what ~of_them:n begun =
  Alcotest.(check int) (Printf.sprintf "bodies begun at once, %s" what) n (List.length begun)

let forms_for workers =
  Forms.(trees @ loops @ tasks @ elements) @ if workers <= 8 then Forms.by_keys else []

(* A worker of which the latest regions were tiny keeps some forks private, which it cannot give while it is
   blocked. So a region comes first that is worth help. *)
let with_a_worthy_region f body =
  let worthy () =
    let since = Unix.gettimeofday () in
    Spin.until (fun () -> Unix.gettimeofday () -. since > 2e-3)
  in
  ignore (both worthy worthy : unit * unit);
  f body

(* Has all workers of [pool] but one busy until [f]'s first body has begun: so nobody wants work when [f] divides it. *)
let with_others_busy pool f body =
  let busy = Atomic.make 0 and is_over = Atomic.make false in
  let hold () =
    Atomic.incr busy;
    while not (Atomic.get is_over) do
      Unix.sleepf 1e-3
    done
  in
  let held = List.init (Pool.size pool - 1) (fun _ -> Pool.async pool hold) in
  Spin.until (fun () -> Atomic.get busy = List.length held);
  f (fun () ->
      Atomic.set is_over true;
      body ());
  List.iter await held

(* Workers that have just ended something, workers that sleep, workers of which one is in a body before the others are
   there to be begun, and workers that come after all has been divided. *)
let reaches_all pool (form : Forms.t) =
  let n = Pool.size pool in
  let begun f =
    Together.begun n (fun body -> Pool.run pool (fun () -> with_a_worthy_region f body))
  in
  check_all "by a pool at work" ~of_them:n (begun (form.over n));
  Unix.sleepf 0.02;
  check_all "after a pause" ~of_them:n (begun (form.over n));
  let behind_a_leaf body =
    let (), () = both body (fun () -> form.over (n - 1) body) in
    ()
  in
  check_all "behind a leaf" ~of_them:n (begun behind_a_leaf);
  check_all "by a pool that was busy" ~of_them:n (begun (with_others_busy pool (form.over n)))

let from_outside pool =
  let n = Pool.size pool in
  let begin_all body = List.iter await (List.init n (fun _ -> Pool.async pool body)) in
  check_all "from outside" ~of_them:n (Together.begun n begin_all)

let case name f = Watchdog.case ~seconds:120. name f

(* All cases of a width share a pool. *)
let of_width domains =
  let pool = lazy (Pool.create ~domains ~adaptive:false ()) in
  let case_of (form : Forms.t) = case form.name (fun () -> reaches_all (Lazy.force pool) form) in
  ( Printf.sprintf "%d workers" domains,
    List.map case_of (forms_for domains)
    @ [
        case "Pool.async" (fun () -> from_outside (Lazy.force pool));
        case "the end" (fun () -> Pool.close (Lazy.force pool));
      ] )

(* A pool that follows the load of the machine *)

let period = 0.05 (* seconds: what is between two domains more than there are processors *)

(* The timers of the system are not early, but clocks are set right. *)
let at_least = 0.9 *. period

let grows_with_time (form : Forms.t) () =
  let processors = Processors.available () in
  let n = Int.min 128 (processors + 3) in
  let pool = Pool.create ~domains:n ~adaptive:true () in
  let begun () = Together.begun n (fun body -> Pool.run pool (fun () -> form.over n body)) in
  let first = begun () in
  check_all "in time" ~of_them:n first;
  let check_is_not_early i at =
    if at < float (i + 1 - processors) *. at_least then
      Alcotest.failf "%d have begun after %.3f s" (i + 1) at
  in
  (* Elsewhere no pool follows the load. *)
  if Option.is_some (Processors.time_file ()) then List.iteri check_is_not_early first;
  Unix.sleepf 0.05;
  check_all "after a pause" ~of_them:n (begun ());
  Pool.close pool

let adaptive =
  let case_of (form : Forms.t) = case form.name (grows_with_time form)
  and is_wanted (form : Forms.t) =
    List.mem form.name [ "all"; "for"; "Array.map"; "async"; "Scope.spawn" ]
  in
  ("more workers than processors", List.map case_of (List.filter is_wanted (forms_for max_int)))

let () = Alcotest.run "width" [ of_width 4; of_width 16; of_width 64; adaptive ]
