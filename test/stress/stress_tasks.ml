(* Ten million tasks: none is lost, none runs twice. *)

open Test_support

(* Each task has a byte of its own; the common count finds two runs at the same moment. *)
type census = { runs : Bytes.t; total : int Atomic.t }

let census n = { runs = Bytes.make n '\000'; total = Atomic.make 0 }

let count c i =
  Bytes.set_uint8 c.runs i (Bytes.get_uint8 c.runs i + 1);
  Atomic.incr c.total

let check c =
  let n = Bytes.length c.runs in
  Alcotest.(check int) "runs in all" n (Atomic.get c.total);
  Bytes.iteri
    (fun i runs -> if runs <> '\001' then Alcotest.failf "task %d ran %d times" i (Char.code runs))
    c.runs

(* Every task of lo .. hi - 1 is a fork or an async of its own. *)
let rec forks c lo hi =
  if hi - lo = 1 then count c lo
  else
    let mid = (lo + hi) / 2 in
    ignore (Drover.both (fun () -> forks c lo mid) (fun () -> forks c mid hi) : unit * unit)

let rec asyncs c lo hi =
  if hi - lo = 1 then count c lo
  else
    let mid = (lo + hi) / 2 in
    let left = Drover.async (fun () -> asyncs c lo mid) in
    asyncs c mid hi;
    Drover.await left

(* At each level another kind, so that every kind meets every other. *)
let rec mixed c kind lo hi =
  if hi - lo = 1 then count c lo
  else
    let mid = (lo + hi) / 2 in
    let left () = mixed c (kind + 1) lo mid and right () = mixed c (kind + 1) mid hi in
    match kind mod 4 with
    | 0 -> ignore (Drover.both left right : unit * unit)
    | 1 -> ignore (Drover.all [ left; right ] : unit list)
    | 2 ->
        let left = Drover.async left in
        right ();
        Drover.await left
    | _ ->
        Drover.parallel_for ~grain:1 ~start:0 ~finish:1 (fun i ->
            if i = 0 then left () else right ())

(* One parent, and a list of all its tasks. *)
let flat c n =
  let tasks = Array.init n (fun i -> Drover.async (fun () -> count c i)) in
  Array.iter Drover.await tasks

let runs name domains n work =
  Watchdog.case ~seconds:300.0 (Printf.sprintf "%s, %d tasks, %d domains" name n domains) (fun () ->
      let c = census n in
      Drover.run ~domains (fun () -> work c n);
      check c)

let () =
  let forks c n = forks c 0 n and asyncs c n = asyncs c 0 n and mixed c n = mixed c 0 0 n in
  let million = 1_000_000 in
  Alcotest.run "stress tasks"
    [
      ( "one domain",
        [
          runs "forks" 1 million forks; runs "asyncs" 1 million asyncs; runs "mixed" 1 million mixed;
        ] );
      ( "two domains",
        [
          runs "forks" 2 (5 * million) forks;
          runs "asyncs" 2 (3 * million) asyncs;
          runs "mixed" 2 (2 * million) mixed;
          runs "flat" 2 million flat;
        ] );
      ( "eight domains",
        [
          runs "forks" 8 million forks;
          runs "asyncs" 8 million asyncs;
          runs "mixed" 8 million mixed;
          runs "flat" 8 million flat;
        ] );
    ]
