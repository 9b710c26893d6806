open Shadow

let sites ~file l = Array.map window (Sites.add ~file l)
let refers = Sites.refers
let label = Shadow.label
let variable = Shadow.variable
let has_mutable name fields = note_mutable (label name) ~fields
let[@inline] at w = Sites.here := w.site
let nowhere = window 0
let[@inline] on () = !Sync.is_recording
let block = Address.block

(* Elements *)

let[@inline] read_array w a i = if on () then read_element w (block a) ~length:(Array.length a) i
let[@inline] write_array w a i = if on () then write_element w (block a) ~length:(Array.length a) i

let[@inline] read_floats w a i =
  if on () then read_element w (block a) ~length:(Float.Array.length a) i

let[@inline] write_floats w a i =
  if on () then write_element w (block a) ~length:(Float.Array.length a) i

let[@inline] read_bytes w b i = if on () then read_element w (block b) ~length:(Bytes.length b) i
let[@inline] write_bytes w b i = if on () then write_element w (block b) ~length:(Bytes.length b) i

(* Bigarrays *)

let bits_of (type a b) (kind : (a, b) Bigarray.kind) =
  match Bigarray.kind_size_in_bytes kind with 1 -> 0 | 2 -> 1 | 4 -> 2 | 8 -> 3 | _ -> 4

let base (type c) (layout : c Bigarray.layout) =
  match layout with Bigarray.C_layout -> 0 | Bigarray.Fortran_layout -> 1

(* Its place in the data, by the layout; -1 if it is out of bounds. *)
let place (type c) (layout : c Bigarray.layout) dims indices =
  let base = base layout in
  let step d acc =
    let i = indices.(d) - base in
    if acc < 0 || i < 0 || i >= dims.(d) then -1 else (acc * dims.(d)) + i
  in
  let n = Array.length dims in
  let rec go acc k =
    if k = n then acc else go (step (if base = 0 then k else n - 1 - k) acc) (k + 1)
  in
  if Array.length indices = n then go 0 0 else -1

let bigarray kind w b indices =
  if on () then begin
    let i = place (Bigarray.Genarray.layout b) (Bigarray.Genarray.dims b) indices in
    if i >= 0 then data kind w.site (block b) ~bits:(bits_of (Bigarray.Genarray.kind b)) i
  end

let read_bigarray site b indices = bigarray Read site b indices
let write_bigarray site b indices = bigarray Write site b indices

let array1 kind w b i =
  if on () then begin
    let i = i - base (Bigarray.Array1.layout b) in
    if i >= 0 && i < Bigarray.Array1.dim b then
      data kind w.site (block b) ~bits:(bits_of (Bigarray.Array1.kind b)) i
  end

let read_array1 site b i = array1 Read site b i
let write_array1 site b i = array1 Write site b i

let array2 kind w b i j =
  if on () then begin
    let dims = Bigarray.Array2.[| dim1 b; dim2 b |] in
    let place = place (Bigarray.Array2.layout b) dims [| i; j |] in
    if place >= 0 then data kind w.site (block b) ~bits:(bits_of (Bigarray.Array2.kind b)) place
  end

let read_array2 site b i j = array2 Read site b i j
let write_array2 site b i j = array2 Write site b i j

(* Fields *)

let[@inline] field kind w label v =
  if on () && Address.is_block v then Shadow.field kind w.site label (block v)

let[@inline] read_field site label v = field Read site label v
let[@inline] write_field site label v = field Write site label v

let argument kind w label v =
  if on () && Address.is_block v then Shadow.field kind w.site label (Address.argument (block v))

let read_field_of_argument site label v = argument Read site label v
let write_field_of_argument site label v = argument Write site label v
let[@inline] read_ref site r = field Read site whole r
let[@inline] write_ref site r = field Write site whole r

(* By the latest call. What is marked as racy has none. *)

let[@inline] on () = on () && !Sites.here <> 0

let structure read_or_write v =
  if on () then read_or_write (window !Sites.here) v;
  v

let reading v = structure read_ref v
let writing v = structure write_ref v

let part kind a first n =
  if on () then elements kind (window !Sites.here) (block a) ~length:(Array.length a) first n;
  a

let reading_part a first n = part Read a first n
let writing_part a first n = part Write a first n
let reading_all a = reading_part a 0 (Array.length a)
let writing_all a = writing_part a 0 (Array.length a)

let part_of_bytes kind b first n =
  if on () then elements kind (window !Sites.here) (block b) ~length:(Bytes.length b) first n;
  b

let reading_part_of_bytes b first n = part_of_bytes Read b first n
let writing_part_of_bytes b first n = part_of_bytes Write b first n

let part_of_floats kind a first n =
  if on () then elements kind (window !Sites.here) (block a) ~length:(Float.Array.length a) first n;
  a

let reading_part_of_floats a first n = part_of_floats Read a first n
let writing_part_of_floats a first n = part_of_floats Write a first n
let reading_floats a = reading_part_of_floats a 0 (Float.Array.length a)
let writing_floats a = writing_part_of_floats a 0 (Float.Array.length a)

let all_of_array1 kind b =
  if on () then
    for i = 0 to Bigarray.Array1.dim b - 1 do
      array1 kind (window !Sites.here) b (i + base (Bigarray.Array1.layout b))
    done;
  b

let reading_array1 b = all_of_array1 Read b
let writing_array1 b = all_of_array1 Write b

(* A lazy value that was forced may be what it stands for: so it has a place of its own there. *)
let lazy_value = variable "lazy"

let forcing l =
  if on () && Address.is_block l then begin
    let kind = if Lazy.is_val l then Read else Write in
    Shadow.field kind !Sites.here lazy_value (block l)
  end;
  l

let thread () = Listen.has_threads := true
