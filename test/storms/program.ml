(* Random programs over the whole public interface.

   A program ends by itself, as long as the library does its part: what may have to wait for what
   never comes does so for a limited time. *)

type t =
  | Work of int (* allocations *)
  | Fail of int
  | Check
  | Nap of float
  | Block
  | Later (* a wait that suspends *)
  (* what starts tasks and waits for them *)
  | Both of t * t
  | All of t list
  | For of int * t list
  | Reduce of int * t list
  | Find of t list
  | First of t list
  | Array of t list
  | Seq of t list
  | Scope of scope
  | Latch of t list
  (* tasks that go their own way *)
  | Async of t * t
  | Resolve of t
  | Orphan of t
  (* around a part *)
  | Bear of t
  | In_time of float * t
  | Protect of t
  | Bracket of t
  | Until_signal of t
  | Local of int * t
  | Run of int * t
  | Other of t
  | Thread of t
  | Lock of int * t
  | Permit of int * t
  | Read of t
  | Write of t
  (* with others *)
  | Wait_for
  | Signal
  | Send of int
  | Recv of int
  | Select of int
  | Meet
  | Once of t
  | Force of t
  | Submit
  | Insert
  | Add
  | Put
  | Steps of t list

and scope = { spawned : t list; daemon : bool; ending : ending; body : t }
and ending = Returns | Cancels of int | Raises of int

let rec show = function
  | Work n -> Printf.sprintf "Work %d" n
  | Fail n -> Printf.sprintf "Fail %d" n
  | Check -> "Check"
  | Nap s -> Printf.sprintf "Nap %g" s
  | Block -> "Block"
  | Later -> "Later"
  | Both (a, b) -> Printf.sprintf "Both (%s, %s)" (show a) (show b)
  | All ts -> "All " ^ show_list ts
  | For (grain, ts) -> Printf.sprintf "For (%d, %s)" grain (show_list ts)
  | Reduce (grain, ts) -> Printf.sprintf "Reduce (%d, %s)" grain (show_list ts)
  | Find ts -> "Find " ^ show_list ts
  | First ts -> "First " ^ show_list ts
  | Array ts -> "Array " ^ show_list ts
  | Seq ts -> "Seq " ^ show_list ts
  | Latch ts -> "Latch " ^ show_list ts
  | Scope { spawned; daemon; ending; body } ->
      let ending =
        match ending with
        | Returns -> "Returns"
        | Cancels n -> Printf.sprintf "Cancels %d" n
        | Raises n -> Printf.sprintf "Raises %d" n
      in
      Printf.sprintf "Scope { spawned = %s; daemon = %b; ending = %s; body = %s }"
        (show_list spawned) daemon ending (show body)
  | Async (a, b) -> Printf.sprintf "Async (%s, %s)" (show a) (show b)
  | Resolve t -> show_one "Resolve" t
  | Orphan t -> show_one "Orphan" t
  | Bear t -> show_one "Bear" t
  | In_time (s, t) -> Printf.sprintf "In_time (%g, %s)" s (show t)
  | Protect t -> show_one "Protect" t
  | Bracket t -> show_one "Bracket" t
  | Until_signal t -> show_one "Until_signal" t
  | Local (n, t) -> Printf.sprintf "Local (%d, %s)" n (show t)
  | Run (n, t) -> Printf.sprintf "Run (%d, %s)" n (show t)
  | Other t -> show_one "Other" t
  | Thread t -> show_one "Thread" t
  | Lock (n, t) -> Printf.sprintf "Lock (%d, %s)" n (show t)
  | Permit (n, t) -> Printf.sprintf "Permit (%d, %s)" n (show t)
  | Read t -> show_one "Read" t
  | Write t -> show_one "Write" t
  | Wait_for -> "Wait_for"
  | Signal -> "Signal"
  | Send n -> Printf.sprintf "Send %d" n
  | Recv n -> Printf.sprintf "Recv %d" n
  | Select n -> Printf.sprintf "Select %d" n
  | Meet -> "Meet"
  | Once t -> show_one "Once" t
  | Force t -> show_one "Force" t
  | Submit -> "Submit"
  | Insert -> "Insert"
  | Add -> "Add"
  | Put -> "Put"
  | Steps ts -> "Steps " ^ show_list ts

and show_one name t = Printf.sprintf "%s (%s)" name (show t)
and show_list ts = "[" ^ String.concat "; " (List.map show ts) ^ "]"

(* Generation *)

let int = Random.State.int
let one_of random choices = choices.(int random (Array.length choices)) ()

let leaf random =
  one_of random
    [|
      (fun () -> Work (int random 30));
      (fun () -> Work (int random 300));
      (fun () -> if int random 4 = 0 then Fail (int random 10) else Check);
      (fun () -> if int random 3 = 0 then Nap (Random.State.float random 3e-4) else Later);
      (fun () -> if int random 3 = 0 then Block else Later);
      (fun () -> Later);
    |]

(* What programs are made of: everything, or forks, loops, scopes and promises only. *)
type parts = Everything | Structure

(* What a task may do while it holds a lock: nothing that waits for whoever needs the lock. *)
let rec calm random size =
  if size <= 1 then leaf random
  else
    one_of random
      [|
        (fun () -> Both (calm random (size / 2), calm random (size / 2)));
        (fun () -> Steps [ leaf random; calm random (size - 1) ]);
        (fun () -> Bear (calm random (size - 1)));
      |]

let meeting random size =
  one_of random
    [|
      (fun () -> Wait_for);
      (fun () -> Signal);
      (fun () -> Send (int random 3));
      (fun () -> Recv (int random 3));
      (fun () -> Select (int random 1000));
      (fun () -> Meet);
      (fun () -> Once (calm random (size / 4)));
      (fun () -> Force (calm random (size / 4)));
      (fun () -> Submit);
      (fun () -> Insert);
      (fun () -> Add);
      (fun () -> Put);
      (fun () -> Lock (int random 3, calm random (size / 2)));
      (fun () -> Lock (int random 3, calm random (size / 2)));
      (fun () -> Permit (int random 2, calm random (size / 2)));
      (fun () -> Read (calm random (size / 2)));
      (fun () -> Write (calm random (size / 2)));
    |]

(* A thread that a task waits for holds its worker up: so no thread within a thread. *)
let rec tree of_ ~threads random size =
  let sub () = tree of_ ~threads random (size / 2) in
  let parts most =
    let n = 1 + int random (min most (max 1 size)) in
    List.init n (fun _ -> tree of_ ~threads random (size / n))
  in
  let meeting size =
    match of_ with Everything -> meeting random size | Structure -> leaf random
  in
  let starting =
    [|
      (fun () ->
        let a = sub () in
        Both (a, sub ()));
      (fun () -> All (parts 5));
      (fun () -> For (1 + int random 2, parts 12));
      (fun () -> Reduce (1 + int random 2, parts 8));
      (fun () -> if int random 2 = 0 then Find (parts 5) else First (parts 3));
      (fun () -> if int random 2 = 0 then Array (parts 8) else Seq (parts 5));
      (fun () -> Scope (scope of_ ~threads random size));
      (fun () -> Scope (scope of_ ~threads random size));
    |]
  in
  let own =
    [|
      (fun () ->
        let a = sub () in
        Async (a, sub ()));
      (fun () -> Resolve (sub ()));
      (fun () -> Orphan (sub ()));
      (fun () -> Bear (sub ()));
      (fun () -> In_time (Random.State.float random 2e-3, sub ()));
      (fun () -> Protect (sub ()));
      (fun () -> Local (int random 100, sub ()));
      (fun () ->
        match int random 4 with
        | 0 -> Run (1 + int random 2, sub ())
        | 1 when threads -> Thread (tree of_ ~threads:false random (size / 2))
        | _ -> Other (sub ()));
      (fun () -> Steps (parts 5));
    |]
  in
  let others =
    [|
      (fun () -> Latch (parts 4)); (fun () -> Bracket (sub ())); (fun () -> Until_signal (sub ()));
    |]
  in
  let other () =
    match of_ with
    | Everything when int random 4 = 0 -> one_of random others
    | Everything | Structure -> one_of random own
  in
  if size <= 1 then if int random 3 = 0 then leaf random else meeting 4
  else
    one_of random
      [|
        (fun () -> leaf random);
        (fun () -> meeting size);
        (fun () -> meeting size);
        (fun () -> one_of random starting);
        (fun () -> one_of random starting);
        (fun () -> one_of random starting);
        other;
        other;
      |]

and scope of_ ~threads random size =
  let n = int random 5 in
  let part () = tree of_ ~threads random (size / (n + 1)) in
  let spawned = List.init n (fun _ -> part ()) in
  let ending =
    match int random 8 with
    | 0 -> Cancels (int random 10)
    | 1 -> Raises (int random 10)
    | _ -> Returns
  in
  { spawned; daemon = int random 4 = 0; ending; body = part () }

(* Several strands beside each other, each of which bears what its parts raise. *)
let random of_ random =
  let threads = of_ = Everything in
  let part _ = Bear (tree of_ ~threads random (1 + int random 40)) in
  let strand () = Steps (List.init (1 + int random 5) part) in
  All (List.init (1 + int random 4) (fun _ -> strand ()))

(* Minimising: the programs that are a step smaller. *)
let smaller t =
  let rec less ts =
    match ts with [] -> [] | t :: rest -> rest :: List.map (List.cons t) (less rest)
  in
  let rec inside rebuild t = List.map rebuild (step t)
  and among rebuild ts =
    let rec each before = function
      | [] -> []
      | t :: rest ->
          List.map (fun t -> rebuild (List.rev_append before (t :: rest))) (step t)
          @ each (t :: before) rest
    in
    List.map rebuild (List.filter (fun ts -> ts <> []) (less ts)) @ each [] ts
  and part rebuild t = t :: inside rebuild t
  and parts rebuild ts = ts @ among rebuild ts
  and step = function
    | All ts -> parts (fun ts -> All ts) ts
    | For (n, ts) -> parts (fun ts -> For (n, ts)) ts
    | Reduce (n, ts) -> parts (fun ts -> Reduce (n, ts)) ts
    | Find ts -> parts (fun ts -> Find ts) ts
    | First ts -> parts (fun ts -> First ts) ts
    | Array ts -> parts (fun ts -> Array ts) ts
    | Seq ts -> parts (fun ts -> Seq ts) ts
    | Latch ts -> parts (fun ts -> Latch ts) ts
    | Steps ts -> parts (fun ts -> Steps ts) ts
    | Both (a, b) -> both (fun a b -> Both (a, b)) a b
    | Async (a, b) -> both (fun a b -> Async (a, b)) a b
    | Scope s ->
        (s.body :: s.spawned)
        @ List.map (fun spawned -> Scope { s with spawned }) (less s.spawned)
        @ among (fun spawned -> Scope { s with spawned }) s.spawned
        @ (if s.daemon then [ Scope { s with daemon = false } ] else [])
        @ (if s.ending <> Returns then [ Scope { s with ending = Returns } ] else [])
        @ inside (fun body -> Scope { s with body }) s.body
    | Resolve t -> part (fun t -> Resolve t) t
    | Orphan t -> part (fun t -> Orphan t) t
    | Bear t -> part (fun t -> Bear t) t
    | In_time (s, t) -> part (fun t -> In_time (s, t)) t
    | Protect t -> part (fun t -> Protect t) t
    | Bracket t -> part (fun t -> Bracket t) t
    | Until_signal t -> part (fun t -> Until_signal t) t
    | Local (n, t) -> part (fun t -> Local (n, t)) t
    | Run (n, t) -> part (fun t -> Run (n, t)) t
    | Other t -> part (fun t -> Other t) t
    | Thread t -> part (fun t -> Thread t) t
    | Lock (n, t) -> part (fun t -> Lock (n, t)) t
    | Permit (n, t) -> part (fun t -> Permit (n, t)) t
    | Read t -> part (fun t -> Read t) t
    | Write t -> part (fun t -> Write t) t
    | Once t -> part (fun t -> Once t) t
    | Force t -> part (fun t -> Force t) t
    | Work n when n > 0 -> [ Work 0 ]
    | _ -> []
  and both rebuild a b =
    (a :: b :: inside (fun a -> rebuild a b) a) @ inside (fun b -> rebuild a b) b
  in
  step t
