type t = {
  token : Token.t;
  locals : Bindings.t;
  batches : int list; (* the objects that they belong to *)
  urgent : bool; (* goes before other work, as what was launched for a batch does *)
  interruptible : bool; (* at any safepoint: see [Interruptible] *)
  account : Account.t; (* what it allocates goes there *)
}

let none =
  {
    token = Token.root ignore;
    locals = Bindings.empty;
    batches = [];
    urgent = false;
    interruptible = false;
    account = Account.none;
  }

let fork parent = { parent with token = Token.fork parent.token }

let[@inline] independent_on attention parent =
  { parent with token = Token.root attention; interruptible = false; account = Account.none }

let independent parent = independent_on ignore parent
let below parent attention = { parent with token = Token.below attention parent.token }
