(* Operations on the maps of Drover_batched, and what they do to Stdlib.Map. *)

module Op = Drover_batched.Op
module Model = Map.Make (Int)

module type Subject = sig
  type t

  val name : string

  val create : tick:(int -> unit) -> unit -> t
  (** [tick] is called with every key that is compared or hashed, and may raise. *)

  val find : t -> int -> int option
  val insert : t -> int -> int -> unit
  val add : t -> int -> int -> bool
  val update : t -> int -> (int option -> int option) -> unit
  val delete : t -> int -> bool
  val length : t -> int
  val apply : t -> (int, int) Op.t array -> unit

  val bindings : t -> (int * int) list
  (** A snapshot, in increasing order. *)

  val validate : t -> unit
end

exception Refused

type cmd =
  | Find of int
  | Insert of int * int
  | Add of int * int
  | Delete of int
  | Toggle of int * int (* an update that removes a binding, or makes one *)
  | Refuse of int (* an update that raises *)

let show = function
  | Find k -> Printf.sprintf "Find %d" k
  | Insert (k, v) -> Printf.sprintf "Insert (%d, %d)" k v
  | Add (k, v) -> Printf.sprintf "Add (%d, %d)" k v
  | Delete k -> Printf.sprintf "Delete %d" k
  | Toggle (k, v) -> Printf.sprintf "Toggle (%d, %d)" k v
  | Refuse k -> Printf.sprintf "Refuse %d" k

let toggle v = function None -> Some v | Some _ -> None
let key = function Find k | Insert (k, _) | Add (k, _) | Delete k | Toggle (k, _) | Refuse k -> k

let op = function
  | Find k -> Op.find k
  | Insert (k, v) -> Op.insert k v
  | Add (k, v) -> Op.add k v
  | Delete k -> Op.delete k
  | Toggle (k, v) -> Op.update k (toggle v)
  | Refuse k -> Op.update k (fun _ -> raise Refused)

let next cmd model =
  match cmd with
  | Find _ | Refuse _ -> model
  | Insert (k, v) -> Model.add k v model
  | Add (k, v) -> if Model.mem k model then model else Model.add k v model
  | Delete k -> Model.remove k model
  | Toggle (k, v) -> Model.update k (toggle v) model
