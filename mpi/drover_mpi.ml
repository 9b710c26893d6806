type failure = Failure.t = { item : int option; rank : int; message : string; backtrace : string }

exception Failed = Failure.Failed
exception Rank_ended = Failure.Rank_ended

let run = World.run
let rank () = (Here.get "rank").transport.rank
let size () = (Here.get "size").transport.size
let map = Maps.map
let iter = Maps.iter
let reduce = Maps.reduce
let stream ?retries = Maps.stream "stream" ?retries
let everywhere = Leader.everywhere
