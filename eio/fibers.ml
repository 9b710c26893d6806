(* Fibers: what they do with tasks. *)

(* The collections of a loop's domain stop all workers. *)

let follows_minor_heap = Domain.DLS.new_key (fun () -> ref false)

let adapt_minor_heap () =
  let follows = Domain.DLS.get follows_minor_heap in
  if not !follows then begin
    follows := true;
    Drover.Pool.adapt_minor_heap ()
  end

let run ?pool f =
  adapt_minor_heap ();
  let pool = match pool with Some pool -> pool | None -> Drover.Pool.default () in
  Drover.Pool.staff pool;
  let c = Call.create f ~leaves:false ~on_end:ignore in
  Call.await c ~begin_:(fun () -> Call.submit c pool);
  Call.outcome c

let await ?pool p =
  match Drover.Promise.peek p with
  | Some (Ok v) -> v
  | Some (Error (exn, backtrace)) -> Printexc.raise_with_backtrace exn backtrace
  | None -> run ?pool (fun () -> Drover.await p)
