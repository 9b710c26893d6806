module By_id = Map.Make (Int)

type 'a key = { witness : 'a Type.Id.t; default : 'a }
type binding = Binding : 'a Type.Id.t * 'a -> binding
type t = binding By_id.t

let empty = By_id.empty
let key default = { witness = Type.Id.make (); default }
let default key = key.default
let add key v = By_id.add (Type.Id.uid key.witness) (Binding (key.witness, v))

let find (type a) (key : a key) locals : a option =
  match By_id.find_opt (Type.Id.uid key.witness) locals with
  | None -> None
  | Some (Binding (witness, v)) -> (
      match Type.Id.provably_equal key.witness witness with
      | Some Type.Equal -> Some v
      | None -> None)
