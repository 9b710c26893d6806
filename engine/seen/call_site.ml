(* Call site: tables under one mutex. *)

let outermost = 0
let mutex = Stdlib.Mutex.create ()
let places = Dynarray.create ()
let sites : (string, int) Hashtbl.t = Hashtbl.create 16

(* Of a return address: its site, if it is in the program's own code. *)
let known : (Printexc.raw_backtrace_entry, int option) Hashtbl.t = Hashtbl.create 64

let number place =
  match Hashtbl.find_opt sites place with
  | Some site -> site
  | None ->
      let site = Dynarray.length places in
      Dynarray.add_last places place;
      Hashtbl.add sites place site;
      site

let forget_all () =
  Dynarray.clear places;
  Hashtbl.reset sites;
  Hashtbl.reset known;
  ignore (number "outside" : int)

let place site = Dynarray.get places site

(* Without the names of libraries, which the compiler puts before those of modules. *)
let short name =
  let rec start i =
    if i < 2 then 0 else if name.[i - 1] = '_' && name.[i - 2] = '_' then i else start (i - 1)
  in
  let i = start (Option.value (String.index_opt name '.') ~default:(String.length name)) in
  String.sub name i (String.length name - i)

let place_of slot =
  match (Printexc.Slot.name slot, Printexc.Slot.location slot) with
  | Some name, _ when Frames.is_own name -> None
  | Some name, Some l -> Some (Printf.sprintf "%s (%s:%d)" (short name) l.filename l.line_number)
  | None, Some l -> Some (Printf.sprintf "%s:%d" l.filename l.line_number)
  | _, None -> None

let of_entry entry =
  match Hashtbl.find_opt known entry with
  | Some site -> site
  | None ->
      let slots = Option.value (Printexc.backtrace_slots_of_raw_entry entry) ~default:[||] in
      let site = Option.map number (Array.find_map place_of slots) in
      Hashtbl.add known entry site;
      site

let within depth =
  let stack = Printexc.get_callstack depth in
  Array.find_map of_entry (Printexc.raw_backtrace_entries stack)

(* Most are near. *)
let find () =
  Stdlib.Mutex.protect mutex (fun () ->
      match within 8 with Some _ as site -> site | None -> within 100)
