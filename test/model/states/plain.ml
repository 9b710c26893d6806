(* Plain fields as processors have them: a store stays with its process for a while, where only that sees it. dscheck's
   atomics are seen by all at once, so without this a store and the load behind it are never exchanged.

   1. A process that stores keeps it. What it loads of a field is the newest that it keeps, or what memory has.
   2. Memory gets the oldest that a process keeps of a field in a step of [drain], a process that a model adds; and
      all that it keeps at its next fence, a step of [Atomic] that writes.

   So stores are exchanged with later loads, as on x86, and with stores to other fields, as on ARM64. Loads stay in
   order.

   Each field has an atomic, its [place], at which dscheck sees that steps depend on each other: what a process does
   behind such a step, it does before the next one of any. *)

module Traced = Dscheck.TracedAtomic

type process = { id : int; mutable move_kept : (unit -> unit) list (* since its last fence *) }

type 'a t = {
  place : unit Traced.t;
  mutable memory : 'a;
  mutable kept : (int * 'a) list (* newest first *);
}

type _ Effect.t += Self : process Effect.t

(* None is outside of [delayed], where each store is seen at once. *)
let self () = match Effect.perform Self with p -> Some p | exception Effect.Unhandled Self -> None
let make v = { place = Traced.make (); memory = v; kept = [] }

let get field =
  match self () with
  | None -> field.memory
  | Some { id; _ } ->
      Traced.get field.place;
      Option.value (List.assoc_opt id field.kept) ~default:field.memory

(* Moves the oldest that process [id] keeps, if any. *)
let move id field =
  match List.find_opt (fun (by, _) -> by = id) (List.rev field.kept) with
  | Some ((_, v) as oldest) ->
      field.memory <- v;
      field.kept <- List.filter (( != ) oldest) field.kept
  | None -> ()

let rec move_all id field =
  if List.mem_assoc id field.kept then begin
    move id field;
    move_all id field
  end

let set field v =
  match self () with
  | None -> field.memory <- v
  | Some p ->
      let move_kept () =
        Traced.set field.place ();
        move_all p.id field
      in
      p.move_kept <- move_kept :: p.move_kept;
      Traced.set field.place ();
      field.kept <- (p.id, v) :: field.kept

let leaves_out = ref false (* mere fences *)

(* [is_mere] is whether the step writes nothing new: it is there as a fence only. *)
let fence ?(is_mere = false) () =
  match self () with
  | Some p when not (is_mere && !leaves_out) ->
      let move_kept = List.rev p.move_kept in
      p.move_kept <- [];
      List.iter (fun move -> move ()) move_kept
  | Some _ | None -> ()

let drain id field () =
  Traced.set field.place ();
  move id field

(* [delayed setup] is [setup] where its processes, whose [id]s are their positions, keep their stores, at most until they
   end. Without [fences] a step that writes nothing new is none. *)
let delayed ~fences setup () =
  leaves_out := not fences;
  let bodies, finally = setup () in
  let run id body () =
    let p = { id; move_kept = [] } in
    let run () =
      body ();
      fence ()
    in
    match run () with () -> () | effect Self, k -> Effect.Deep.continue k (p : process)
  in
  (List.mapi run bodies, finally)
