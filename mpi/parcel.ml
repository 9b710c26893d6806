(* Parcel: values as bytes. Functions travel as the places of their code, so both ends run the same
   program: it is known by the digest of its file. *)

let pack v = Marshal.to_bytes v [ Marshal.Closures ]
let unpack bytes = Marshal.from_bytes bytes 0

(* [Error] tells why [v] cannot be sent. *)
let pack_result v =
  match pack v with
  | bytes -> Ok bytes
  | exception (Invalid_argument why | Stdlib.Failure why) -> Error why

(* The file that runs, also when another has been put in its place. *)
let program =
  lazy
    (let self = "/proc/self/exe" in
     Digest.to_hex (Digest.file (if Sys.file_exists self then self else Sys.executable_name)))
