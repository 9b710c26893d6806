module Locals = struct
  module By_id = Map.Make (Int)

  type 'a key = { witness : 'a Type.Id.t; default : 'a }
  type binding = Binding : 'a Type.Id.t * 'a -> binding
  type t = binding By_id.t

  let empty = By_id.empty
  let key default = { witness = Type.Id.make (); default }
  let add key v = By_id.add (Type.Id.uid key.witness) (Binding (key.witness, v))

  let get (type a) (key : a key) locals : a =
    match By_id.find_opt (Type.Id.uid key.witness) locals with
    | None -> key.default
    | Some (Binding (witness, v)) -> (
        match Type.Id.provably_equal key.witness witness with
        | Some Type.Equal -> v
        | None -> key.default)
end

type t = {
  token : Token.t;
  locals : Locals.t;
  batches : int list; (* the objects that they belong to *)
  urgent : bool; (* goes before other work, as what was launched for a batch does *)
  interruptible : bool; (* at any safepoint: see [Limits] *)
  account : Account.t; (* what it allocates goes there *)
}

let none =
  {
    token = Token.root ignore;
    locals = Locals.empty;
    batches = [];
    urgent = false;
    interruptible = false;
    account = Account.none;
  }

let fork parent = { parent with token = Token.create ignore Fork parent.token }

let[@inline] independent_on attention parent =
  { parent with token = Token.root attention; interruptible = false; account = Account.none }

let independent parent = independent_on ignore parent
let below parent attention = { parent with token = Token.create attention Known parent.token }
