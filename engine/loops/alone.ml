(* Alone.

   [left] counts the parts that have not ended, and the call as one. Each counts down once, whatever
   interrupts it: its [ending] knows whether it has.

   The failure of one cancels the others, and is a cause to stop for the call itself. *)

type ending = { mutable is_counted : bool; mutable was_last : bool }

type t = {
  left : int Atomic.t;
  ended : unit Ivar.t;
  token : Token.t;
  call : ending;
  caller : Token.t;
  has_failed : bool Atomic.t; (* which is a cause for the caller *)
}

let token t = t.token
let ending () = { is_counted = false; was_last = false }

let create (parent : Token.t) =
  {
    left = Atomic.make 1;
    ended = Ivar.create ();
    token = Token.task parent;
    call = ending ();
    caller = parent;
    has_failed = Atomic.make false;
  }

let rec shared field parent =
  match Atomic.Loc.get field with
  | Some t -> t
  | None ->
      let t = create parent in
      if Atomic.Loc.compare_and_set field None (Some t) then begin
        ignore (Token.start t.token : bool);
        t
      end
      else shared field parent

let[@inline] enter t = ignore (Atomic.fetch_and_add t.left 1 : int)
let[@inline] withdraw t = ignore (Atomic.fetch_and_add t.left (-1) : int)
let fill_if_over t = if Atomic.get t.left = 0 then ignore (Ivar.fill t.ended () : bool)

let[@poll error] count_down left ending =
  if not ending.is_counted then begin
    ending.is_counted <- true;
    ending.was_last <- Atomic.fetch_and_add left (-1) = 1
  end

let leave t ending =
  count_down t.left ending;
  if ending.was_last then ignore (Ivar.fill t.ended () : bool)

let end_piece t errors = function
  | Ok _ -> ()
  | Error (failure : Failure.t) ->
      let reason = Error_group.reason failure.exn in
      Error_group.add errors failure;
      Token.cancel t.token reason;
      if not (Atomic.exchange t.has_failed true) then Token.fail t.caller reason

let job t errors token part =
  let outcome = ref (Ok ()) and ending = ending () in
  let conclude () =
    end_piece t errors !outcome;
    leave t ending;
    Token.finish token
  in
  let body () =
    match outcome := Task.let_go (Task.catch part) with
    | () -> Critical.finish conclude
    | exception exn ->
        (* A signal's handler raised it, when the part had ended. *)
        Critical.finish conclude;
        raise exn
  in
  Job.task body

let join t errors outcome =
  end_piece t errors outcome;
  leave t t.call;
  if not (Ivar.is_full t.ended) then
    Wait.until_ended (Ivar.on_fill t.ended) ~cancel:(Token.cancel t.token);
  if Atomic.get t.has_failed then Token.forgive t.caller;
  Token.finish t.token
