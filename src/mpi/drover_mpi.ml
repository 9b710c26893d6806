type failure = Failure.t = { item : int option; rank : int; message : string; backtrace : string }

exception Failed = Failure.Failed
exception Rank_ended = Failure.Rank_ended
exception Mpi_error = Failure.Mpi_error

let mpi = if Over_mpi.is_there then Some (Over_mpi.version ()) else None
let run = World.run
let rank () = (Here.get "rank").transport.rank
let size () = (Here.get "size").transport.size
let map = Maps.map
let iter = Maps.iter
let reduce = Maps.reduce
let stream ?retries = Maps.stream "stream" ?retries
let everywhere = Leader.everywhere
let barrier = Collectives.barrier

module Values = struct
  let send = Collectives.send
  let recv = Collectives.recv
  let broadcast = Collectives.broadcast
  let scatter = Collectives.scatter
  let gather = Collectives.gather
  let all_gather = Collectives.all_gather
  let reduce = Collectives.reduce
  let all_reduce = Collectives.all_reduce
  let all_to_all = Collectives.all_to_all
end

module Numbers = struct
  type t = Numbers.t
  type op = Numbers.op = Sum | Product | Min | Max

  let floats = Arrays.floats
  let bigarray = Arrays.bigarray
  let send = Arrays.send
  let recv = Arrays.recv
  let broadcast = Arrays.broadcast
  let scatter = Arrays.scatter
  let gather = Arrays.gather
  let all_gather = Arrays.all_gather
  let reduce = Arrays.reduce
  let all_reduce = Arrays.all_reduce
  let all_to_all = Arrays.all_to_all
end
