(* Fibers: what they do with tasks. *)

(* The collections of a loop's domain stop all workers. *)

let follows_minor_heap = Domain.DLS.new_key (fun () -> ref false)

let adapt_minor_heap () =
  let follows = Domain.DLS.get follows_minor_heap in
  if not !follows then begin
    follows := true;
    Drover_bridge.adapt_minor_heap ()
  end

(* A task is none, but where it runs a loop of its own. *)
let is_fiber () =
  Option.is_none (Drover.Pool.current ())
  ||
  match Eio.Fiber.is_cancelled () with
  | (_ : bool) -> true
  | exception Effect.Unhandled _ -> false

let run_for caller ?pool f =
  if is_fiber () then begin
    adapt_minor_heap ();
    let pool = match pool with Some pool -> pool | None -> Drover.Pool.default () in
    Drover_bridge.staff_for caller pool;
    let c = Call.create f ~leaves:false ~on_end:ignore in
    Call.await c ~begin_:(fun () -> Call.submit c pool);
    Call.outcome c
  end
  else match pool with Some pool -> Drover.Pool.run pool f | None -> f ()

let run ?pool f = run_for "Drover_eio.run" ?pool f

let await ?pool p =
  match Drover.Promise.peek p with
  | Some (Ok v) -> v
  | Some (Error (exn, backtrace)) -> Printexc.raise_with_backtrace exn backtrace
  | None -> run_for "Drover_eio.await" ?pool (fun () -> Drover.await p)

(* What a task gets that calls Eio itself. Eio's backends have effects of their own, which are known by their names. *)
let () =
  let hint =
    "Eio is for the fibers of its loop; a task of Drover's uses it by Drover_eio.in_loop"
  in
  let is_eio's effect_ =
    String.starts_with ~prefix:"Eio" Obj.Extension_constructor.(name (of_val effect_))
  in
  Printexc.register_printer (function
    | Effect.Unhandled effect_ when is_eio's effect_ ->
        Some ("Stdlib.Effect.Unhandled of an effect of Eio's: " ^ hint)
    | _ -> None)
