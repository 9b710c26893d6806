(* Select: waits at several channels for what comes first.

   Undecided --> Chosen i, or --> Withdrawn, at most once: whoever hands something to a case first
   claims the select for it. A select that finds, in the middle of getting in line everywhere, that
   it need not wait withdraws, and starts again: so it never takes part in two exchanges. As all get
   in line in the order of the channels, of two that are in each other's way only the one that is
   less far withdraws. *)

include Channel

type 'r case = Receive : 'a t * ('a -> 'r) -> 'r case | Send : 'a t * 'a * (unit -> 'r) -> 'r case

let receiving c f = Receive (c, f)
let sending c v f = Send (c, v, f)

(* A case, in one attempt to wait. *)
type 'r branch = {
  id : int; (* of its channel *)
  sends : bool;
  queue : Waiter.t -> turn -> (unit -> unit) option;
  result : unit -> (unit -> 'r) option; (* what is to be called if it was served *)
}

let branch = function
  | Receive (c, f) ->
      let got = ref None in
      {
        id = c.id;
        sends = false;
        queue = (fun receiver turn -> queue_receiver c { receiver; turn; got });
        result = (fun () -> Option.map (fun v () -> f v) !got);
      }
  | Send (c, v, f) ->
      let is_served = ref false in
      let result () =
        if not !is_served then None
        else match finish_send c v with () -> Some f | exception Closed -> None
      in
      {
        id = c.id;
        sends = true;
        queue = (fun sender turn -> queue_sender c { sender; turn; message = v; is_served });
        result;
      }

type 'r trial = Ready of (unit -> 'r) | Waits | Over

let attempt = function
  | Receive (c, f) -> (
      match try_recv c with
      | Some v -> Ready (fun () -> f v)
      | None -> Waits
      | exception Closed -> Over)
  | Send (c, v, f) -> (
      match try_send c v with true -> Ready f | false -> Waits | exception Closed -> Over)

(* The first case that is ready, or those that wait. *)
let rec first_ready waiting = function
  | [] -> Error waiting
  | case :: cases -> (
      match attempt case with
      | Ready k -> Ok k
      | Waits -> first_ready (case :: waiting) cases
      | Over -> first_ready waiting cases)

(* Each time another case is looked at first, so that one that is always ready does not starve the
   others. *)
let rotate cases =
  let rotation c =
    c.rotation <- c.rotation + 1;
    c.rotation
  in
  match cases with
  | [] | [ _ ] -> cases
  | first :: _ ->
      let n = match first with Receive (c, _) -> rotation c | Send (c, _, _) -> rotation c in
      let skip = n mod List.length cases in
      List.drop skip cases @ List.take skip cases

let withdrawn = -2

(* Gets in line everywhere. Whoever is chosen in the middle of this may run on already, and leaves
   the lines that it knows of; so the rest is left here. *)
let get_in_line branches chosen waiter =
  let leaves = ref [] in
  let leave_all () = List.iter (fun leave -> leave ()) !leaves in
  let rec go number = function
    | [] -> ()
    | branch :: branches -> (
        match branch.queue waiter (Case { chosen; number }) with
        | Some leave ->
            leaves := leave :: !leaves;
            go (number + 1) branches
        | None ->
            if Atomic.compare_and_set chosen none withdrawn then ignore (Waiter.wake waiter : bool))
  in
  go 0 branches;
  if Atomic.get chosen <> none then leave_all ();
  leave_all

let wait_for_one branches =
  let chosen = Atomic.make none and leave_all = ref ignore in
  Waiting.until (fun waiter ->
      leave_all := get_in_line branches chosen waiter;
      !leave_all);
  !leave_all ();
  match Atomic.get chosen with
  | number when number >= 0 -> (List.nth branches number).result ()
  | _ -> None

(* In the order of the channels. *)
let branches cases =
  let sorted = List.stable_sort (fun a b -> Int.compare a.id b.id) (List.map branch cases) in
  let rec check = function
    | a :: (b :: _ as rest) ->
        if a.id = b.id && a.sends <> b.sends then
          invalid_arg "Drover.Chan.select: sends to and receives from the same channel";
        check rest
    | [ _ ] | [] -> ()
  in
  check sorted;
  sorted

let rec select cases =
  match first_ready [] (rotate cases) with
  | Ok k -> k ()
  | Error [] -> raise Closed
  | Error waiting -> (
      match wait_for_one (branches waiting) with Some k -> k () | None -> select cases)
