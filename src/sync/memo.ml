(* Memo: a table that computes the value of each key once.

   The entries are in a trie by the bits of their hash, which only grows: so a look takes some loads,
   and needs no lock. A slot goes Empty --first key--> Leaf --key with another hash--> Node, and a
   Leaf gets longer by keys of the same hash; each step is one compare-and-set.

   An entry is

     Vacant --claim--> Running --value or failure--> Ended
       ^                  |
       +---cancelled------+

   The claimer computes; others await the end of that run. Runs wait for each other: one
   for those that it computes on the way, and for those of others that it awaits. A run notes
   itself with the other before it awaits that, and then looks whether the other waits for it, by
   however many steps: of the runs that close a circle at the same moment, the last to note
   itself sees it. *)

exception Cycle

type run = { computed_for : run option; awaited_by : run list Atomic.t; ended : unit Ivar.t }
type 'v state = Vacant | Running of run | Ended of ('v, Failure.t) result

type ('k, 'v) entry = {
  hash : int;
  key : 'k;
  mutable state : 'v state; [@atomic]
  others : ('k, 'v) entry option; (* of the same hash *)
}

type ('k, 'v) slot = Empty | Leaf of ('k, 'v) entry | Node of ('k, 'v) slots
and ('k, 'v) slots = ('k, 'v) slot Atomic.t array

type ('k, 'v) t = {
  hash : 'k -> int;
  equal : 'k -> 'k -> bool;
  compute : ('k, 'v) t -> 'k -> 'v;
  root : ('k, 'v) slots;
}

let slots n = Array.init n (fun _ -> Atomic.make Empty)

(* The entry of a key *)

let rec find_in t key entry =
  if t.equal entry.key key then Some entry
  else match entry.others with None -> None | Some other -> find_in t key other

let[@inline] slot slots hash shift =
  Array.unsafe_get slots ((hash lsr shift) land (Array.length slots - 1))

(* The root has 256 slots, each other node 16. *)
let below shift = shift + if shift = 0 then 8 else 4

let rec find t slots hash shift key =
  match Atomic.get (slot slots hash shift) with
  | Node slots -> find t slots hash (below shift) key
  | Leaf entry when entry.hash = hash -> find_in t key entry
  | Leaf _ | Empty -> None

let rec find_or_add t within hash shift key =
  let here = slot within hash shift in
  let add before others =
    let entry = { hash; key; state = Vacant; others } in
    if Atomic.compare_and_set here before (Leaf entry) then entry
    else find_or_add t within hash shift key
  in
  match Atomic.get here with
  | Node slots -> find_or_add t slots hash (below shift) key
  | Empty -> add Empty None
  | Leaf entry as before when entry.hash = hash -> (
      match find_in t key entry with Some entry -> entry | None -> add before (Some entry))
  | Leaf entry as before ->
      (* A node with [entry] alone. *)
      let lower = slots 16 in
      Atomic.set (slot lower entry.hash (below shift)) before;
      ignore (Atomic.compare_and_set here before (Node lower) : bool);
      find_or_add t within hash shift key

(* By bits that depend on all bits of the user's. Knuth, "Sorting and searching" (1973), section 6.4. *)
let[@inline] hash_of t key =
  let product = t.hash key * 0x1e3779b97f4a7c15 in
  product lxor (product lsr 32) land max_int

(* Runs *)

(* The run that the calling task is part of. *)
let current : run option Local.t = Local.create None

(* Whether [run] waits for [from]. *)
let waits_for run from =
  let seen = ref [] in
  let rec look from =
    from == run
    || (not (List.memq from !seen))
       && begin
         seen := from :: !seen;
         Option.fold ~none:false ~some:look from.computed_for
         || List.exists look (Atomic.get from.awaited_by)
       end
  in
  look from

let until_ended run = Wait.until_full "waits for a value of a memo" run.ended

let await run =
  match Local.get current with
  | None -> until_ended run
  | Some me -> (
      Shared.change run.awaited_by (List.cons me);
      try if waits_for run me then raise Cycle else until_ended run
      with exn ->
        let backtrace = Printexc.get_raw_backtrace () in
        (* [me] is noted as often as its tasks await [run]; one note is removed each time. *)
        let rec without_one = function
          | [] -> []
          | run :: runs -> if run == me then runs else run :: without_one runs
        in
        Shared.change run.awaited_by without_one;
        Printexc.raise_with_backtrace exn backtrace)

(* The value of an entry *)

let[@inline] state entry = Atomic.Loc.get [%atomic.loc entry.state]

let[@inline] step entry before after =
  Atomic.Loc.compare_and_set [%atomic.loc entry.state] before after

(* The outcome; [None] if another was first. From the claim on, the handler sees to the end of the
   run, with the stack that was reserved before. *)
let compute t entry =
  let run =
    { computed_for = Local.get current; awaited_by = Atomic.make []; ended = Ivar.create () }
  in
  let running = Running run in
  let value () = Local.with_value current (Some run) (fun () -> t.compute t entry.key)
  (* Those who await the run look at the state again. *)
  and conclude outcome =
    let is_outermost = Section.enter () in
    let after =
      match outcome with
      | Error { Failure.exn = Token.Cancelled _; _ } -> Vacant
      | Ok _ | Error _ -> Ended outcome
    in
    if step entry running after then ignore (Ivar.fill run.ended () : bool);
    Section.exit is_outermost
  in
  Section.reserve_stack ();
  match if step entry Vacant running then Some (Failure.catch value) else None with
  | None -> None
  | Some outcome ->
      conclude outcome;
      Some outcome
  | exception exn ->
      let is_outermost = Section.enter () in
      let failure = Failure.caught exn in
      conclude (Error failure);
      Section.exit is_outermost;
      Failure.raise failure

let rec value t entry =
  match state entry with
  | Ended outcome -> Failure.get outcome
  | Running run ->
      if not (Ivar.is_full run.ended) then Section.run await run;
      value t entry
  | Vacant -> (
      match compute t entry with Some outcome -> Failure.get outcome | None -> value t entry)

let get t key = value t (find_or_add t t.root (hash_of t key) 0 key)

let find_opt t key =
  match find t t.root (hash_of t key) 0 key with
  | None -> None
  | Some entry -> (
      match state entry with Ended (Ok v) -> Some v | Ended (Error _) | Running _ | Vacant -> None)

let create ?(hash = Hashtbl.hash) ?(equal = fun x y -> compare x y = 0) f =
  { hash; equal; compute = (fun t -> f (get t)); root = slots 256 }
