type sleep = { idle : int; wake : int; latency : int }

type t = {
  name : string;
  processors : int;
  cluster : int;
  socket : int;
  slow : int;
  slowness : float;
  hit : int;
  step : int;
  store : int;
  within_cluster : int;
  within_socket : int;
  between_sockets : int;
  from_memory : int;
  read_occupancy : int;
  relax : int;
  clock : int;
  element : int;
  fork : int;
  fiber : int;
  stolen : int;
  suspension : int;
  timer : int;
  sleep : int;
  sleeps : sleep list;
  timer_slack : int;
  ring : int;
  thread : int;
  domain : int;
  slice : int;
  switch : int;
  credit : int;
  balance : int;
  interrupt : int;
  collection : int;
  collection_each : int;
  survivor : float;
  fresh : float;
  quota : (int * int) option;
}

(* A processor sleeps more deeply the longer it is idle, from [short] on. *)
let sleeps short =
  let sleep (idle, latency) = { idle; wake = 2_500; latency } in
  List.map sleep [ (0, 1_500); (2_000, short); (1_000_000, 40_000); (10_000_000, 70_000) ]

(* One socket of a server, its clock fixed. *)
let server processors =
  {
    name = Printf.sprintf "server-%d" processors;
    processors;
    cluster = 8;
    socket = Int.max_int;
    slow = 0;
    slowness = 1.;
    hit = 1;
    step = 6;
    store = 1;
    within_cluster = 30;
    within_socket = 70;
    between_sockets = 200;
    from_memory = 50;
    read_occupancy = 12;
    relax = 40;
    clock = 25;
    element = 1;
    fork = 3;
    fiber = 60;
    stolen = 160;
    suspension = 500;
    timer = 150;
    sleep = 1_000;
    sleeps = sleeps 8_000;
    timer_slack = 55_000;
    ring = 1_500;
    thread = 20_000;
    domain = 80_000;
    slice = 3_000_000;
    switch = 1_500;
    credit = 1_500_000;
    balance = 32_000_000;
    interrupt = 150;
    collection = 5_000;
    collection_each = 300;
    survivor = 15.;
    fresh = 2.;
    quota = None;
  }

let two_sockets = { (server 128) with name = "two_sockets"; socket = 64 }

let laptop =
  { (server 8) with name = "laptop"; cluster = 4; slow = 4; slowness = 1.8; sleeps = sleeps 15_000 }

(* An idle processor is the hypervisor's at once. *)
let virtual_ processors =
  {
    (server processors) with
    name = "virtual";
    within_cluster = 25;
    sleeps =
      [
        { idle = 0; wake = 3_000; latency = 35_000 };
        { idle = 1_000_000; wake = 30_000; latency = 50_000 };
      ];
  }

let scale by m =
  let times n = Int.max 1 (int_of_float (by *. float n)) in
  let sleep { idle; wake; latency } = { idle; wake = times wake; latency = times latency } in
  {
    m with
    within_cluster = times m.within_cluster;
    within_socket = times m.within_socket;
    between_sockets = times m.between_sockets;
    from_memory = times m.from_memory;
    read_occupancy = times m.read_occupancy;
    sleeps = List.map sleep m.sleeps;
    collection = times m.collection;
    collection_each = times m.collection_each;
  }

let low = scale 0.6
let high = scale 1.6

(* The fast ones remain. *)
let with_processors n m =
  { m with processors = n; slow = Int.max 0 (m.slow + Int.min 0 (n - m.processors)) }
