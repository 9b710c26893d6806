(* Searches in an ordered map that batches change in place meanwhile: a key is found as it was bound
   at some time of the search. And snapshots, which nothing changes. *)

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

(* The comparison stops a search at any step, where whole batches, and snapshots, come between. *)
let stopped (l : load) =
  let w = writer l and hook = ref ignore and sizes = ref l.sizes and model = ref Model.empty in
  let compare x y =
    !hook ();
    Int.compare x y
  in
  let t = Map.create compare in
  let taken = ref [] in
  let next_batch () =
    match !sizes with
    | [] -> ()
    | size :: rest ->
        sizes := rest;
        let cmds = Array.init size (fun _ -> random_cmd w) in
        Map.apply t (Array.map Map_commands.op cmds);
        model := follow !model cmds;
        if Random.State.int w.rng 3 = 0 then taken := (Map.snapshot t, !model) :: !taken
  in
  let search k =
    let bound () = Model.find_opt k !model in
    let seen = ref [ bound () ] in
    let rec step () =
      if Random.State.int w.rng 3 = 0 then begin
        hook := ignore;
        next_batch ();
        seen := bound () :: !seen;
        hook := step
      end
    in
    hook := step;
    let found = Map.find t k in
    hook := ignore;
    List.mem found !seen
  in
  let rec searches () =
    (!sizes = []
    ||
    (next_batch ();
     true))
    && search (Random.State.int w.rng w.keys)
    && (!sizes = [] || searches ())
  in
  let kept (snapshot, model) =
    Tree_map.validate snapshot;
    Array.to_list (Tree_map.to_array snapshot) = Model.bindings model
  in
  let all_found = searches () in
  Map.validate t;
  all_found && List.for_all kept ((Map.snapshot t, !model) :: !taken)

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
      Watchdog.property ~count:100 ~name:"searches in the middle of a batch" ~print gen (fun l ->
          Drover.Pool.run (List.hd pools) (fun () -> amid l));
      Watchdog.property ~count:20 ~name:"searches on other domains" ~print gen beside;
    ]
