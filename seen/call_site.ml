(* Call site: what is known so far, which changes in one step: a finaliser or a Memprof callback may
   fork in the middle of a look. *)

module Numbers = Map.Make (Int)
module Places = Map.Make (String)

type sites = {
  places : string Numbers.t;
  sites : int Places.t;
  known : int option Numbers.t; (* of a return address: its site, if it is the program's own code *)
}

let outermost = 0

let nothing =
  {
    places = Numbers.singleton outermost "outside";
    sites = Places.singleton "outside" outermost;
    known = Numbers.empty;
  }

let now = Atomic.make nothing
let forget_all () = Atomic.set now nothing
let place site = Numbers.find site (Atomic.get now).places

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

let with_place place s =
  if Places.mem place s.sites then s
  else
    let site = Places.cardinal s.sites in
    { s with places = Numbers.add site place s.places; sites = Places.add place site s.sites }

let learn address place s =
  let s = Option.fold ~none:s ~some:(fun place -> with_place place s) place in
  let site = Option.bind place (fun place -> Places.find_opt place s.sites) in
  { s with known = Numbers.add address site s.known }

let rec of_entry (entry : Printexc.raw_backtrace_entry) =
  let address = (entry :> int) in
  match Numbers.find_opt address (Atomic.get now).known with
  | Some site -> site
  | None ->
      let slots = Option.value (Printexc.backtrace_slots_of_raw_entry entry) ~default:[||] in
      Shared.change now (learn address (Array.find_map place_of slots));
      of_entry entry

let within depth =
  let stack = Printexc.get_callstack depth in
  Array.find_map of_entry (Printexc.raw_backtrace_entries stack)

(* Most are near. *)
let find () = match within 8 with Some _ as site -> site | None -> within 100
