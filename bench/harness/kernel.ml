type size = Tiny | Quick | Full
type params = { size : size; rle : string option; dir : string option }

type ('i, 'r) engine =
  | Serial of ('i -> 'r)
  | Drover of ('i -> 'r)
  | Domainslib of (Domainslib.Task.pool -> 'i -> 'r)
  | Program of (domains:int -> float)

type ('i, 'r) version = { name : string; engine : ('i, 'r) engine }

type problem =
  | Problem : {
      about : string;
      input : unit -> 'i;
      serial : 'i -> 'r;
      versions : ('i, 'r) version list;
      check : expected:'r -> 'r -> (unit, string) result;
      note : 'r -> string;
      picture : ('r -> string * string) option;
    }
      -> problem

type t = { name : string; doc : string; prepare : params -> (problem, string) result }

let serial name f = { name; engine = Serial f }
let drover ?(name = "drover") f = { name; engine = Drover f }
let domainslib ?(name = "domainslib") f = { name; engine = Domainslib f }
let program name seconds = { name; engine = Program seconds }

let equal show ~expected r =
  if expected = r then Ok ()
  else Error (Printf.sprintf "expected %s, got %s" (show expected) (show r))

let by_size size ~tiny ~quick ~full = match size with Tiny -> tiny | Quick -> quick | Full -> full
