module By_id = Map.Make (Int)

type 'a key = { id : int; witness : 'a Type.Id.t; default : 'a }
type binding = Binding : 'a Type.Id.t * 'a -> binding
type t = binding By_id.t

let empty = By_id.empty
let next = Atomic.make 0
let key default = { id = Atomic.fetch_and_add next 1; witness = Type.Id.make (); default }
let default key = key.default
let add key v locals = By_id.add key.id (Binding (key.witness, v)) locals

let find (type a) (key : a key) locals : a option =
  match By_id.find_opt key.id locals with
  | None -> None
  | Some (Binding (witness, v)) -> (
      match Type.Id.provably_equal key.witness witness with
      | Some Type.Equal -> Some v
      | None -> None)
