(* Collector: minor collections, which stop all domains.

   1. A domain begins one: it calls the others, one after the other.
   2. Each comes at its next safepoint; for a domain none of whose threads runs OCaml code, its backup thread
      comes, which has to be woken. Who has come spins for the others, and blocks when that takes long: after as
      many turns as in OCaml's runtime/domain.c.
   3. When the last has come, all collect, and go on together.

   So a domain that has lost its processor keeps the others waiting. After a collection a domain calls its
   finalisers at its next safepoint. *)

open World

let time_of_pause () =
  let model = !w.model and n = List.length !w.domains in
  let most = List.fold_left (fun m d -> Int.max m d.live) 0 !w.domains in
  model.collection + (model.collection_each * n) + int_of_float (model.survivor *. float most)

let finish_domain (d : domain) =
  d.promoted <- d.promoted +. float d.live;
  d.told <- d.allocated;
  d.young <- 0;
  d.live <- 0;
  d.due <- d.due @ List.rev d.finalisers;
  d.finalisers <- []

let release c ~at =
  !w.collection <- None;
  !w.collections <- !w.collections + 1;
  List.iter finish_domain !w.domains;
  let release t =
    match t.status with
    | Spins ->
        t.time <- at;
        Scheduler.set_status t Runs;
        Turns.set_key t.processor at
    | Blocked ->
        t.time <- Int.max t.time at;
        ignore (Scheduler.ready t ~at : int)
    | Runs | Queued | Ended -> ()
  in
  List.iter release c.present

let patience () = !w.model.relax * if List.length !w.domains = 2 then 1_000 else 300

(* The calling thread waits for the others. *)
let spin c t =
  c.present <- t :: c.present;
  Scheduler.set_status t Spins;
  Turns.set_key t.processor never;
  let give_up at =
    if t.status = Spins then begin
      t.time <- at;
      Scheduler.set_status t Blocked;
      Scheduler.leave_processor t
    end
  in
  let alarm = Turns.at (t.time + patience ()) give_up in
  Turns.give_turn ();
  Turns.cancel alarm

let arrive (d : domain) c =
  let t = me () in
  d.is_called <- false;
  Log.tell_of d (Begins "collection");
  c.missing <- c.missing - 1;
  let since = t.time and blocked = t.account.blocked in
  if c.missing > 0 then spin c t
  else begin
    let at = t.time + time_of_pause () in
    release c ~at;
    t.time <- at
  end;
  Log.tell_of d (Ends "collection");
  t.account.blocked <- blocked;
  t.account.collected <- t.account.collected + (t.time - since)

let rec meet () =
  let d = (me ()).domain in
  match !w.collection with
  | Some c when d.is_called ->
      arrive d c;
      meet ()
  | Some _ | None -> ()

let call (d : domain) ~by =
  by.time <- by.time + !w.model.interrupt;
  d.is_called <- true;
  match (d.holder, d.backup) with
  | Some t, _ -> Scheduler.cut t ~at:by.time
  | None, Some backup -> Scheduler.wake backup
  | None, None -> ()

(* Others may have begun one meanwhile: that is as good. *)
let collect () =
  Turns.sync ();
  let t = me () in
  let own = t.domain in
  if !w.collection = None then begin
    let c = { missing = List.length !w.domains; present = [] } in
    !w.collection <- Some c;
    own.is_called <- true;
    List.iter (fun d -> if d != own then call d ~by:t) !w.domains
  end;
  meet ()

(* What the backup thread of a domain does. *)
let rec back_up (d : domain) =
  if List.memq d !w.domains then begin
    ignore (Scheduler.park ~until:never : bool);
    (match !w.collection with Some c when d.is_called -> arrive d c | Some _ | None -> ());
    back_up d
  end
