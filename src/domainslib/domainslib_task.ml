(* Task: Domainslib's pools, promises and loops, on Drover's. *)

module Pool = Drover.Pool
module Promise = Drover.Promise

type 'a task = unit -> 'a
type !'a promise = 'a Promise.t

(* Up --teardown_pool, once its tasks have ended--> down *)
type pool = { pool : Pool.t; is_down : bool Atomic.t }

let get p = if Atomic.get p.is_down then invalid_arg "pool already torn down" else p.pool

(* Pools by name, the latest first. *)
let named : (string * pool) list Atomic.t = Atomic.make []

let rec update_named f =
  let before = Atomic.get named in
  if not (Atomic.compare_and_set named before (f before)) then update_named f

let lookup_pool name = List.assoc_opt name (Atomic.get named)

let setup_pool ?name ~num_domains () =
  if num_domains < 0 then invalid_arg "Task.setup_pool: num_domains must be at least 0";
  let p = { pool = Pool.create ?name ~domains:(num_domains + 1) (); is_down = Atomic.make false } in
  Option.iter (fun name -> update_named (List.cons (name, p))) name;
  p

let teardown_pool p =
  Pool.close (get p);
  update_named (List.filter (fun (_, other) -> other != p));
  Atomic.set p.is_down true

let get_num_domains p = Pool.size (get p)
let run p f = Pool.run (get p) f
let async p f = Pool.async (get p) f

let await p promise =
  ignore (get p : Pool.t);
  Promise.await promise

let promise () =
  let p, r = Promise.create () in
  let set v =
    if not (Promise.try_fulfil r v) then failwith "Task.promise: can only set result of task once"
  in
  (p, set)

(* Loops. With a chunk size they are divided as Domainslib does: into halves, down to pieces of a
   chunk at most. Without one, Drover finds the pieces, unless they have results. What is called for
   each iteration is an argument of what iterates: a variable of a closure takes a load more each
   time. *)

(* Of any two integers: an interval may be longer than [max_int]. *)
let middle lo hi = (lo land hi) + ((lo lxor hi) asr 1)
let is_chunk chunk_size lo hi = lo = hi || (hi - lo > 0 && hi - lo < chunk_size)

let rec in_chunks chunk_size piece lo hi =
  if is_chunk chunk_size lo hi then piece lo hi
  else
    let middle = middle lo hi in
    let (), () =
      Drover.both
        (fun () -> in_chunks chunk_size piece lo middle)
        (fun () -> in_chunks chunk_size piece (middle + 1) hi)
    in
    ()

let in_pieces ?(chunk_size = 0) ~start ~finish p piece =
  run p (fun () ->
      if chunk_size <= 0 then Drover.parallel_range ~start ~finish piece
      else if start <= finish then in_chunks chunk_size piece start finish)

let iterate body lo hi =
  for i = lo to hi do
    body i
  done

let parallel_for ?chunk_size ~start ~finish ~body p =
  in_pieces ?chunk_size ~start ~finish p (fun lo hi -> iterate body lo hi)

(* A loop rather than a recursive function: OCaml would store all of its arguments at each turn. *)
let fold combine body lo hi =
  let acc = ref (body lo) in
  if lo < hi then
    for i = lo + 1 to hi do
      acc := combine !acc (body i)
    done;
  !acc

(* Domainslib's, so that results are grouped as there: an eighth of a domain's share. *)
let default_chunk_size domains ~start ~finish =
  let n = if finish - start < 0 then max_int else finish - start in
  let n = if n = max_int then n else n + 1 in
  if domains = 1 then n else Int.max 1 (n / (8 * domains))

let parallel_for_reduce ?(chunk_size = 0) ~start ~finish ~body p combine init =
  let chunk_size =
    if chunk_size > 0 then chunk_size else default_chunk_size (get_num_domains p) ~start ~finish
  in
  let rec go lo hi =
    if is_chunk chunk_size lo hi then fold combine body lo hi
    else
      let middle = middle lo hi in
      let a, b = Drover.both (fun () -> go lo middle) (fun () -> go (middle + 1) hi) in
      combine a b
  in
  run p (fun () -> if finish < start then init else combine init (go start finish))

let rec search found body i hi =
  if Option.is_none (Atomic.get found) then
    match body i with
    | None -> if i < hi then search found body (i + 1) hi
    | Some _ as here -> Atomic.set found here

let parallel_find ?chunk_size ~start ~finish ~body p =
  let found = Atomic.make None in
  in_pieces ?chunk_size ~start ~finish p (search found body);
  Atomic.get found

(* Scan: there is no neutral element, so each part is scanned by itself first, and then combined
   with the last element of what lies before it. *)

let scan_part op a lo hi =
  if lo <= hi then begin
    let acc = ref a.(lo) in
    for i = lo + 1 to hi do
      acc := op !acc a.(i);
      a.(i) <- !acc
    done
  end

let add_offset op offset a lo hi =
  for i = lo to hi do
    a.(i) <- op offset a.(i)
  done

let parallel_scan p op elements =
  let n = Array.length elements in
  let parts = Int.min n (get_num_domains p) in
  let a = Array.copy elements in
  let lo part = part * n / parts and hi part = ((part + 1) * n / parts) - 1 in
  if parts < 2 then scan_part op a 0 (n - 1)
  else
    run p (fun () ->
        Drover.parallel_for ~start:0 ~finish:(parts - 1) (fun part ->
            scan_part op a (lo part) (hi part));
        for part = 1 to parts - 1 do
          a.(hi part) <- op a.(hi (part - 1)) a.(hi part)
        done;
        Drover.parallel_for ~start:1 ~finish:(parts - 1) (fun part ->
            add_offset op a.(lo part - 1) a (lo part) (hi part - 1)));
  a
