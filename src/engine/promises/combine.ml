(* Combine.

   What settles a promise calls the waiters of its cell, and these settle what follows from it: so there is no
   task. They do so in a section, where nothing interrupts the settler. A waiter may be called again (see
   [Ivar]), and the last two of several may both find that none is left: so each step may be repeated, and
   only the first outcome counts. *)

let[@inline] outcome p = Ivar.get (Promise.cell p)
let value p = Failure.get (outcome p)
let no_team = Worker.nobody.team

(* A thread that awaits what follows lends itself to those that work for it, or to some of them. *)
let team_of teams = Option.value (List.find_opt (( != ) no_team) teams) ~default:no_team

(* The settler's task is not what [f] is for. *)
let in_context (context : Context.t) f v =
  match Worker.mine () with
  | None -> f v
  | Some w ->
      let before = w.context in
      let finish () =
        Token.hand_on context.token before.token;
        Worker.return_to w before
      and apply () = f v in
      (* No safepoint lies between this and the handler. *)
      Worker.run_in w context;
      Failure.finally finish apply

(* A failure that comes to be here, and is nobody's yet. *)
let noted q outcome =
  let note failure =
    Promise.mark q failure;
    Failure.note (Promise.team q).unseen failure
  in
  Result.iter_error note outcome;
  outcome

let map f p =
  let q = Promise.make (Promise.team p) in
  let context = Context.independent (Task.context ()) in
  let apply v = noted q (Failure.catch (fun () -> in_context context f v)) in
  let follow () =
    if not (Promise.is_settled q) then
      Promise.settle_once q
        (match outcome p with Ok v -> apply v | Error failure -> Error failure)
  in
  Section.run (Ivar.on_fill (Promise.cell p)) follow;
  q

(* Several

   [q] is what comes of them. Who settles it has all seats stand up: else a promise that stays pending would
   keep [q] and its value. That may be before the caller has sat down everywhere, so the caller then looks,
   too. *)

type 'a party = {
  q : 'a Promise.t;
  left : int Atomic.t;
  seats : Ivar.seat list;
  mutable is_over : bool; (* the seats have stood up; who does not see it has them do so again *)
}

let party q seats = { q; left = Atomic.make (List.length seats); seats; is_over = false }

let stand_up party =
  if Promise.is_settled party.q then begin
    List.iter Ivar.stand_up party.seats;
    party.is_over <- true
  end

let[@poll error] count is_counted left =
  if not !is_counted then begin
    is_counted := true;
    ignore (Atomic.fetch_and_add left (-1) : int)
  end

(* [p] is one of those that [party.left] counts. *)
let sit party ~each ~last seat p =
  let is_counted = ref false in
  Ivar.sit (Promise.cell p) seat (fun () ->
      each (outcome p);
      count is_counted party.left;
      if Atomic.get party.left = 0 then last ();
      if not party.is_over then stand_up party)

let sit_all party ~each ~last ps =
  List.iter2 (sit party ~each ~last) party.seats ps;
  stand_up party;
  party.q

let pass_failure q = function Ok _ -> () | Error failure -> Promise.settle_once q (Error failure)

(* None of them has failed, or [q] is settled. *)
let fulfil q value = if not (Promise.is_settled q) then Promise.settle_once q (Ok (value ()))

let both p q =
  let pair = Promise.make (team_of [ Promise.team p; Promise.team q ]) in
  let here = Ivar.seat () and there = Ivar.seat () in
  let party = party pair [ here; there ] in
  let last () = fulfil pair (fun () -> (value p, value q)) in
  sit party ~each:(pass_failure pair) ~last here p;
  sit party ~each:(pass_failure pair) ~last there q;
  stand_up party;
  pair

let of_all ps =
  let q = Promise.make (team_of (List.map Promise.team ps)) in
  (q, party q (List.map (fun _ -> Ivar.seat ()) ps))

let all = function
  | [] -> Promise.of_value []
  | ps ->
      let q, party = of_all ps in
      let last () = fulfil q (fun () -> List.map value ps) in
      sit_all party ~each:(pass_failure q) ~last ps

let any = function
  | [] -> invalid_arg "Drover.Promise.any: nothing to race"
  | ps ->
      let q, party = of_all ps in
      let failures = Error_group.create () in
      let each = function
        | Ok _ as won -> Promise.settle_once q won
        | Error failure ->
            failure.Failure.seen := true;
            Error_group.add failures failure
      and last () =
        if not (Promise.is_settled q) then
          Promise.settle_once q (noted q (Failure.catch (fun () -> Error_group.fail failures)))
      in
      List.iter Promise.expect ps;
      sit_all party ~each ~last ps
