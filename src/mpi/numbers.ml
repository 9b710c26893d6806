(* Numbers: arrays of unboxed numbers, which travel without being marshalled where there is something
   better. *)

type t = Floats : float array -> t | Big : ('a, 'b, Bigarray.c_layout) Bigarray.Array1.t -> t
type op = Sum | Product | Min | Max

type collective =
  | Broadcast
  | Scatter
  | Gather
  | All_gather
  | Reduce of op
  | All_reduce of op
  | All_to_all

(* What a transport may have of its own. Each function suspends until the arrays may be changed, or
   are there. *)
type native = {
  barrier : unit -> unit;
  send : dest:int -> tag:int -> t -> unit;
  receive : source:int -> tag:int -> t -> unit;
  collective : collective -> root:int -> t option -> t option -> unit; (* from, to *)
}

let length = function Floats a -> Array.length a | Big a -> Bigarray.Array1.dim a

let same_kind : type a b c d.
    (a, b) Bigarray.kind -> (c, d) Bigarray.kind -> (a * b, c * d) Type.eq option =
 fun k k' ->
  match (k, k') with
  | Float16, Float16 -> Some Equal
  | Float32, Float32 -> Some Equal
  | Float64, Float64 -> Some Equal
  | Int8_signed, Int8_signed -> Some Equal
  | Int8_unsigned, Int8_unsigned -> Some Equal
  | Int16_signed, Int16_signed -> Some Equal
  | Int16_unsigned, Int16_unsigned -> Some Equal
  | Int32, Int32 -> Some Equal
  | Int64, Int64 -> Some Equal
  | Int, Int -> Some Equal
  | Nativeint, Nativeint -> Some Equal
  | Complex32, Complex32 -> Some Equal
  | Complex64, Complex64 -> Some Equal
  | Char, Char -> Some Equal
  | _ -> None

let differs () = invalid_arg "Drover_mpi.Numbers: arrays of different kinds or lengths"

(* The part of [into] from [at] on becomes [from]. *)
let blit from into at =
  if at + length from > length into then differs ();
  match (from, into) with
  | Floats a, Floats b -> Array.blit a 0 b at (Array.length a)
  | Big a, Big b -> (
      match same_kind (Bigarray.Array1.kind a) (Bigarray.Array1.kind b) with
      | Some Equal -> Bigarray.Array1.(blit a (sub b at (dim a)))
      | None -> differs ())
  | Floats _, Big _ | Big _, Floats _ -> differs ()

let copy = function
  | Floats a -> Floats (Array.copy a)
  | Big a ->
      let b = Bigarray.Array1.(create (kind a) C_layout (dim a)) in
      Bigarray.Array1.blit a b;
      Big b

let sub t at length =
  match t with
  | Floats a -> Floats (Array.sub a at length)
  | Big a -> Big (Bigarray.Array1.sub a at length)

let operation (type a) ~(add : a -> a -> a) ~mul op : a -> a -> a =
  match op with Sum -> add | Product -> mul | Min -> Stdlib.min | Max -> Stdlib.max

let of_kind : type a b. (a, b) Bigarray.kind -> op -> a -> a -> a =
 fun kind op ->
  match kind with
  | Float32 -> operation op ~add:( +. ) ~mul:( *. )
  | Float64 -> operation op ~add:( +. ) ~mul:( *. )
  | Int32 -> operation op ~add:Int32.add ~mul:Int32.mul
  | Int64 -> operation op ~add:Int64.add ~mul:Int64.mul
  | Int -> operation op ~add:( + ) ~mul:( * )
  | Nativeint -> operation op ~add:Nativeint.add ~mul:Nativeint.mul
  | _ ->
      invalid_arg "Drover_mpi.Numbers: no reduction of small integers, complex numbers, characters"

(* [into] becomes [op into from], number by number. *)
let combine op into from =
  if length into <> length from then differs ();
  match (into, from) with
  | Floats a, Floats b ->
      let f = operation op ~add:( +. ) ~mul:( *. ) in
      Array.iteri (fun i x -> a.(i) <- f a.(i) x) b
  | Big a, Big b -> (
      match same_kind (Bigarray.Array1.kind a) (Bigarray.Array1.kind b) with
      | Some Equal ->
          let f = of_kind (Bigarray.Array1.kind a) op in
          for i = 0 to Bigarray.Array1.dim a - 1 do
            a.{i} <- f a.{i} b.{i}
          done
      | None -> differs ())
  | Floats _, Big _ | Big _, Floats _ -> differs ()

(* Whether numbers of [t] may be reduced. *)
let check_kind (type a b) (kind : (a, b) Bigarray.kind) =
  let (_ : a -> a -> a) = of_kind kind Sum in
  ()

let check_reducible = function Floats _ -> () | Big a -> check_kind (Bigarray.Array1.kind a)
