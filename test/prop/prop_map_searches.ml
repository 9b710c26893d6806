(* Searches and single operations in an ordered map that batches change in place meanwhile: a key is
   found as it was bound at some time of the search, and so it was where an operation changes nothing;
   a change is one of what is bound. And snapshots, which nothing changes. *)

open Test_support
module Map = Drover_batched.Ordered_map
module Tree_map = Drover_batched.Tree_map
module Op = Drover_batched.Op
module Model = Map_commands.Model

type load = { seed : int; keys : int; sizes : int list (* of batches *) }

let print l =
  Printf.sprintf "seed = %d, keys = %d, batches of %s" l.seed l.keys
    (String.concat ", " (List.map string_of_int l.sizes))

let gen =
  let open QCheck2.Gen in
  map3
    (fun seed keys sizes -> { seed; keys; sizes })
    (int_range 0 1_000_000)
    (oneof_list [ 1; 5; 30; 200; 2000 ])
    (list_size (int_range 1 30) (oneof_weighted [ (3, int_range 1 5); (2, int_range 6 400) ]))

let pools = List.map (fun domains -> Drover.Pool.create ~domains ()) [ 1; 2; 4 ]

(* No two values are equal. Insertions of keys in order make the tree turn its nodes often. *)
type writer = { rng : Random.State.t; keys : int; mutable version : int; mutable next : int }

let writer (l : load) =
  { rng = Random.State.make [| l.seed |]; keys = l.keys; version = 0; next = 0 }

let random_cmd w : Map_commands.cmd =
  w.version <- w.version + 1;
  let k = Random.State.int w.rng w.keys in
  match Random.State.int w.rng 8 with
  | 0 | 1 | 2 -> Delete k
  | 3 | 4 -> Insert (k, w.version)
  | 5 -> Toggle (k, w.version)
  | _ ->
      w.next <- (w.next + 1) mod w.keys;
      Insert (w.next, w.version)

let follow = Array.fold_left (fun model cmd -> Map_commands.next cmd model)

(* What is done to a map, in turns with what the comparison stops. *)
type stage = {
  w : writer;
  t : (int, int) Map.t;
  hook : (unit -> unit) ref; (* of the comparison *)
  mutable sizes : int list;
  mutable model : int Model.t;
  mutable taken : ((int, int) Tree_map.t * int Model.t) list;
}

let stage (l : load) =
  let hook = ref ignore in
  let compare x y =
    !hook ();
    Int.compare x y
  in
  let t = Map.create compare in
  { w = writer l; t; hook; sizes = l.sizes; model = Model.empty; taken = [] }

let next_batch s =
  match s.sizes with
  | [] -> ()
  | size :: rest ->
      s.sizes <- rest;
      let cmds = Array.init size (fun _ -> random_cmd s.w) in
      Map.apply s.t (Array.map Map_commands.op cmds);
      s.model <- follow s.model cmds;
      if Random.State.int s.w.rng 3 = 0 then s.taken <- (Map.snapshot s.t, s.model) :: s.taken

let bound s k = Model.find_opt k s.model

(* [f ()], and what [k] was bound to meanwhile, the last first. The comparison stops it at any step, where
   [between] comes, so many [times] at most. *)
let stopping s k ~between ~times f =
  let seen = ref [ bound s k ] and times = ref times in
  let rec step () =
    if !times > 0 && Random.State.int s.w.rng 3 = 0 then begin
      decr times;
      s.hook := ignore;
      between ();
      seen := bound s k :: !seen;
      s.hook := step
    end
  in
  s.hook := step;
  let result = Fun.protect ~finally:(fun () -> s.hook := ignore) f in
  (result, !seen)

(* [act k] holds for random keys, until there are no batches left. All snapshots are what they were. *)
let play s act =
  let rec go () =
    next_batch s;
    act (Random.State.int s.w.rng s.w.keys) && (s.sizes = [] || go ())
  in
  let kept (snapshot, model) =
    Tree_map.validate snapshot;
    Array.to_list (Tree_map.to_array snapshot) = Model.bindings model
  in
  let all_hold = go () in
  Map.validate s.t;
  all_hold && List.for_all kept ((Map.snapshot s.t, s.model) :: s.taken)

(* Whole batches, and snapshots, come between the steps of a search. *)
let stopped l =
  let s = stage l in
  play s (fun k ->
      let between () = next_batch s in
      let found, seen = stopping s k ~between ~times:max_int (fun () -> Map.find s.t k) in
      List.mem found seen)

type answer = Done | Has of bool | Raised

let perform t (cmd : Map_commands.cmd) =
  match cmd with
  | Find k -> Has (Map.mem t k)
  | Insert (k, v) ->
      Map.insert t k v;
      Done
  | Add (k, v) -> Has (Map.add t k v)
  | Delete k -> Has (Map.delete t k)
  | Toggle (k, v) ->
      Map.update t k (Map_commands.toggle v);
      Done
  | Refuse k -> (
      match Map.update t k (fun _ -> raise Map_commands.Refused) with
      | () -> Done
      | exception Map_commands.Refused -> Raised)

(* What [cmd] answers where its key is bound so, and what it is bound to then. *)
let expected (cmd : Map_commands.cmd) binding =
  let is_bound = Option.is_some binding in
  match cmd with
  | Find _ -> (Has is_bound, binding)
  | Insert (_, v) -> (Done, Some v)
  | Add (_, v) -> (Has (not is_bound), if is_bound then binding else Some v)
  | Delete _ -> (Has is_bound, None)
  | Toggle (_, v) -> (Done, Map_commands.toggle v binding)
  | Refuse _ -> (Raised, binding)

(* What [cmd] has answered, and what its key is bound to then: an operation that changes something comes
   last of all that came between its steps, and one that does not comes anywhere. *)
let fits cmd (answer, found) ~last seen =
  expected cmd last = (answer, found)
  || (found = last && List.exists (fun binding -> expected cmd binding = (answer, binding)) seen)

(* Or one that often changes nothing. *)
let random_single s k : Map_commands.cmd =
  s.w.version <- s.w.version + 1;
  let v = s.w.version in
  match Random.State.int s.w.rng 8 with
  | 0 -> Insert (k, v)
  | 1 -> Insert (k, Option.value (bound s k) ~default:v)
  | 2 | 3 -> Add (k, v)
  | 4 | 5 -> Delete k
  | 6 -> Toggle (k, v)
  | _ -> Refuse k

(* Overtaken once more, an operation would be for a batch, in which the comparison must not use the map. *)
let singles l =
  let s = stage l in
  let rec act ~times k =
    let cmd = random_single s k in
    let between () =
      if Random.State.int s.w.rng 4 = 0 then next_batch s
      else if not (act ~times:0 (Random.State.int s.w.rng s.w.keys)) then failwith "between"
    in
    let answer, seen = stopping s k ~between ~times (fun () -> perform s.t cmd) in
    let found = Map.find s.t k and last = bound s k in
    s.model <- Model.update k (fun _ -> found) s.model;
    fits cmd (answer, found) ~last seen
  in
  play s (fun k -> act ~times:7 k)

(* The states of one key from operation to operation, of which a prefix has been seen. *)
type history = { states : int option array; mutable seen : int }

let sees h found =
  let rec from i =
    if i = Array.length h.states then false
    else if h.states.(i) = found then begin
      h.seen <- i;
      true
    end
    else from (i + 1)
  in
  from h.seen

let histories w model cmds =
  Array.init w.keys (fun k ->
      let on_key = List.filter (fun cmd -> Map_commands.key cmd = k) (Array.to_list cmds) in
      let state model = Model.find_opt k model in
      let models = List.to_seq on_key |> Seq.scan (Fun.flip Map_commands.next) model in
      { states = Array.of_seq (Seq.map state models); seen = 0 })

(* The functions of updates look at all keys, in the middle of a batch, on one domain. Of each key
   they see what becomes of it, in order, though not every step. *)
let amid (l : load) =
  let l = { l with keys = Int.min l.keys 200 } in
  let w = writer l and t = Map.create Int.compare in
  let holds = ref true in
  let look histories =
    Array.iteri (fun k h -> if not (sees h (Map.find t k)) then holds := false) histories
  in
  let batch model size =
    let cmds = Array.init size (fun _ -> random_cmd w) in
    let histories = histories w model cmds in
    let looking (cmd : Map_commands.cmd) =
      match cmd with
      | Toggle (k, v) ->
          Op.update k (fun binding ->
              look histories;
              Map_commands.toggle v binding)
      | _ -> Map_commands.op cmd
    in
    Map.apply t (Array.map looking cmds);
    look histories;
    let model = follow model cmds in
    Array.iteri
      (fun k h -> if h.states.(h.seen) <> Model.find_opt k model then holds := false)
      histories;
    model
  in
  ignore (List.fold_left batch Model.empty l.sizes : int Model.t);
  !holds

(* A single operation has begun, and goes on in the middle of a batch, on one domain. So it changes nothing,
   or comes after the batch. *)
let single_amid (l : load) =
  let s = stage { l with sizes = [] } in
  let begin_single cmd =
    let resumed, resume = Drover.Promise.create () and steps = ref (Random.State.int s.w.rng 8) in
    let step () =
      decr steps;
      if !steps < 0 then begin
        s.hook := ignore;
        Drover.await resumed
      end
    in
    s.hook := step;
    let answer = Begun.task (fun () -> perform s.t cmd) in
    s.hook := ignore;
    ( answer,
      fun () -> if not (Drover.Promise.is_settled resumed) then Drover.Promise.fulfil resume () )
  in
  let batch_around resume cmds =
    let middle = Random.State.int s.w.rng (Array.length cmds) in
    let op i (cmd : Map_commands.cmd) =
      match cmd with
      | Insert (k, v) when i >= middle ->
          Op.update k (fun _ ->
              resume ();
              Drover.sleep 0.;
              Some v)
      | _ -> Map_commands.op cmd
    in
    Map.apply s.t (Array.mapi op cmds);
    resume ()
  in
  let holds size =
    let k = Random.State.int s.w.rng s.w.keys in
    let cmd = random_single s k and cmds = Array.init size (fun _ -> random_cmd s.w) in
    let seen = (histories s.w s.model cmds).(k).states in
    let answer, resume = begin_single cmd in
    (* It has ended if it compared too little to be stopped. *)
    let has_ended = Drover.Promise.is_settled answer in
    if has_ended then s.model <- Map_commands.next cmd s.model;
    batch_around resume cmds;
    s.model <- follow s.model cmds;
    let answer = Drover.await answer and found = Map.find s.t k and last = bound s k in
    s.model <- Model.update k (fun _ -> found) s.model;
    Map.validate s.t;
    if has_ended then fst (expected cmd seen.(0)) = answer && found = last
    else fits cmd (answer, found) ~last (Array.to_list seen)
  in
  List.for_all holds l.sizes
  && Array.to_list (Tree_map.to_array (Map.snapshot s.t)) = Model.bindings s.model

(* Other domains search all the time: the versions of a key increase, and the even ones are always
   there. *)
let beside (l : load) =
  let w = writer l and t = Map.create Int.compare and is_over = Atomic.make false in
  Map.insert_all t (Array.init w.keys (fun k -> (k, 0)));
  let read () =
    let last = Array.make w.keys 0 in
    let look k =
      match Map.find t k with
      | Some v ->
          let newer = v >= last.(k) in
          last.(k) <- v;
          newer
      | None -> k mod 2 = 1
    in
    let rec all_hold k = k >= w.keys || (look k && all_hold (k + 1)) in
    let rec go () = all_hold 0 && (Atomic.get is_over || go ()) in
    go ()
  in
  let readers = List.init 2 (fun _ -> Domain.spawn read) in
  let batch size =
    let op () =
      match random_cmd w with
      | Delete k when k mod 2 = 1 -> Op.delete k
      | cmd -> Op.insert (Map_commands.key cmd) w.version
    in
    Map.apply t (Array.init size (fun _ -> op ()))
  in
  List.iter (fun pool -> Drover.Pool.run pool (fun () -> List.iter batch l.sizes)) pools;
  Atomic.set is_over true;
  Map.validate t;
  List.for_all Domain.join readers

let everywhere holds l = List.for_all (fun pool -> Drover.Pool.run pool (fun () -> holds l)) pools

let () =
  Test_support.Properties.run
    [
      Watchdog.property ~count:60 ~name:"batches between the steps of a search" ~print gen
        (everywhere stopped);
      Watchdog.property ~count:200 ~name:"batches between the steps of single operations" ~print gen
        (everywhere singles);
      Watchdog.property ~count:100 ~name:"searches in the middle of a batch" ~print gen (fun l ->
          Drover.Pool.run (List.hd pools) (fun () -> amid l));
      Watchdog.property ~count:300 ~name:"single operations in the middle of a batch" ~print gen
        (fun l -> Drover.Pool.run (List.hd pools) (fun () -> single_amid l));
      Watchdog.property ~count:20 ~name:"searches on other domains" ~print gen beside;
    ]
