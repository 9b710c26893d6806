(* Datalog: who is of the same generation?

   {v same(X, Y) :- sibling(X, Y).
      same(X, Y) :- parent(X, A), same(A, B), parent(Y, B). v}

   Evaluation is semi-naive: in each round the rule is applied to the facts that are new. *)

type input = {
  people : int;
  children : int array array;
  siblings : (int * int) array;
}

(* A fact same(X, Y) is the number [x * people + y]. *)
let derive { people; children; _ } fact f =
  let below_x = children.(fact / people)
  and below_y = children.(fact mod people) in
  Array.iter
    (fun x -> Array.iter (fun y -> f ((x * people) + y)) below_y)
    below_x

let given i = Array.map (fun (x, y) -> (x * i.people) + y) i.siblings

let serial i =
  let known = Bytes.make (i.people * i.people) ' ' and facts = ref 0 in
  let news = Queue.create () in
  let learn fact =
    if Bytes.get known fact = ' ' then begin
      Bytes.set known fact '!';
      incr facts;
      Queue.add fact news
    end
  in
  Array.iter learn (given i);
  while not (Queue.is_empty news) do
    derive i (Queue.take news) learn
  done;
  !facts

(* Of several that derive a fact at a time, [Bitset.add] tells one that it is new. *)
let drover i =
  let known = Drover.Bitset.create (i.people * i.people) in
  let learn push fact = if Drover.Bitset.add known fact then push fact in
  let rec rounds news =
    if news <> [||] then
      rounds
        (Drover.Array.collect
           (fun fact push -> derive i fact (learn push))
           news)
  in
  rounds (Drover.Array.collect (fun fact push -> learn push fact) (given i));
  Drover.Bitset.cardinal known

(* Domainslib has no sets; an atomic for each byte of marks takes their place. *)
let domainslib pool i =
  let known =
    Array.init (((i.people * i.people) + 61) / 62) (fun _ -> Atomic.make 0)
  in
  let rec add fact =
    let cell = known.(fact / 62) and bit = 1 lsl (fact mod 62) in
    let before = Atomic.get cell in
    before land bit = 0
    && (Atomic.compare_and_set cell before (before lor bit) || add fact)
  in
  let round facts derive =
    let part lo hi =
      let news = Dynarray.create () in
      for k = lo to hi do
        derive facts.(k) (fun fact ->
            if add fact then Dynarray.add_last news fact)
      done;
      Dynarray.to_array news
    in
    Array.concat (Drover_kernels.Chunks.map pool (Array.length facts) part)
  in
  let rec rounds count news =
    if news = [||] then count
    else rounds (count + Array.length news) (round news (derive i))
  in
  rounds 0 (round (given i) (fun fact learn -> learn fact))

(* A family of [people]; everybody but the first few has two parents among those before. *)
let input people =
  let rng = Random.State.make [| people |] and first = 16 in
  let parents x =
    List.init 2 (fun _ ->
        Int.max 0 ((x / 2) - 20 + Random.State.int rng 40))
  in
  let children = Array.make people [] in
  for x = first to people - 1 do
    List.iter
      (fun a ->
        children.(Int.min a (x - 1)) <- x :: children.(Int.min a (x - 1)))
      (parents x)
  done;
  let siblings =
    Array.init (first * first) (fun k -> (k / first, k mod first))
  in
  { people; children = Array.map Array.of_list children; siblings }

let kernel =
  Program.kernel ~name:"datalog"
    ~doc:"who is of the same generation, by semi-naive evaluation"
    ~sizes:(100, 2_000, 4_000)
    ~about:(Printf.sprintf "%d people")
    ~input
    ~show:(Printf.sprintf "%d facts")
    ~serial ~drover ~domainslib ()
