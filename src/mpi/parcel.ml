(* Parcel: values as bytes. Functions travel as the places of their code, so both ends run the same
   program: it is known by the digest of its file. *)

let pack v = Marshal.to_bytes v [ Marshal.Closures ]
let unpack bytes = Marshal.from_bytes bytes 0

(* [Error] tells why [v] cannot be sent. *)
let pack_result v =
  match pack v with
  | bytes -> Ok bytes
  | exception (Invalid_argument why | Stdlib.Failure why) -> Error why

let program = lazy (Digest.to_hex (Digest.file (Origin.file ())))
