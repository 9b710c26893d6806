(* Critical sections. The interface says what they are for. *)

(* A function makes sure at its start that the stack has room for all that it may keep there: here
   for 256 words, although the branch that needs them is never taken. *)

let[@inline never] word n = Sys.opaque_identity n

let[@inline never] reserve_stack () =
  if Sys.opaque_identity false then begin
    let w = word in
    let n = 0 in
    ignore (Sys.opaque_identity (
    w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n
    + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n
    + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n
    + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n
    + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n
    + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n
    + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n
    + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n
    + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n
    + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n
    + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n
    + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n
    + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n
    + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n
    + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n
    + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n + w n
    ) : int)
  end
[@@ocamlformat "disable"]

let[@inline never] reserve_handler () =
  if Sys.opaque_identity false then begin
    let w = word in
    let n = 0 in
    ignore (Sys.opaque_identity (
    w n + w n + w n + w n + w n + w n + w n + w n
    ) : int)
  end
[@@ocamlformat "disable"]

(* On a stack of its own, from which effects pass; without a safepoint (see [Task]). *)
let on_fresh_stack step x y = match step x y with () -> () | effect _, _ when false -> ()

let with_room step x y =
  match step x y with () -> () | exception Stack_overflow -> on_fresh_stack step x y

(* Not a call at the end of the function, which would give it a safepoint at its start. *)
let rec give_up step x y =
  (match step x y with
  | () -> ()
  | exception Stack_overflow -> (
      match on_fresh_stack step x y with () -> () | exception _ -> give_up step x y)
  | exception _ -> give_up step x y);
  ignore (Sys.opaque_identity ())

(* Likewise. *)
let call step x =
  step x;
  ignore (Sys.opaque_identity ())

let finish_with step x =
  match step x with
  | () -> ()
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      give_up call step x;
      Printexc.raise_with_backtrace exn backtrace

let finish step = finish_with step ()
let finish_to_end step = give_up call step ()

let[@inline] raise_after step x exn =
  let backtrace = Printexc.get_raw_backtrace () in
  finish_with step x;
  Printexc.raise_with_backtrace exn backtrace

let[@inline] raise_despite step x exn =
  let backtrace = Printexc.get_raw_backtrace () in
  give_up call step x;
  Printexc.raise_with_backtrace exn backtrace

let or_undo ~undo f =
  reserve_stack ();
  match f () with v -> v | exception exn -> raise_despite undo () exn

let and_then leave f =
  reserve_stack ();
  match f () with
  | v ->
      finish leave;
      v
  | exception exn -> raise_after leave () exn

let finally f after =
  match f () with
  | v ->
      after ();
      v
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      after ();
      Printexc.raise_with_backtrace exn backtrace
