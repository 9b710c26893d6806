(* Domains *)

open Drover_machine
open World

type id = int

type 'a t = {
  thread : thread;
  domain : domain;
  outcome : ('a, exn * Printexc.raw_backtrace) result option ref;
}

let here () = (me ()).domain
let self () : id = (here ()).unique
let get_id d : id = d.domain.unique
let self_index () = (here ()).index
let is_main_domain () = self () <= 0
let cpu_relax = Work.cpu_relax
let recommended_domain_count () = !w.model.processors

let at_exit f =
  let d = here () in
  d.at_exit <- f :: d.at_exit

let spawn f =
  Turns.sync ();
  Work.spend !w.model.domain;
  let outcome = ref None in
  let body () =
    outcome :=
      Some
        (match f () with v -> Ok v | exception exn -> Error (exn, Printexc.get_raw_backtrace ()))
  in
  let thread = Threads.create_domain ~name:"worker" body in
  { thread; domain = thread.domain; outcome }

let join d =
  Turns.sync ();
  Threads.join d.thread;
  match !(d.outcome) with
  | Some (Ok v) -> v
  | Some (Error (exn, backtrace)) -> Printexc.raise_with_backtrace exn backtrace
  | None -> assert false

module DLS = struct
  type 'a key = { id : 'a Type.Id.t; make : unit -> 'a }

  let new_key ?split_from_parent:_ make = { id = Type.Id.make (); make }

  let find (type a) (key : a key) =
    let value (Binding (id, v)) : a option =
      match Type.Id.provably_equal id key.id with Some Type.Equal -> Some v | None -> None
    in
    List.find_map value (here ()).storage

  let set (type a) (key : a key) (v : a) =
    let d = here () in
    let is_other (Binding (id, _)) = Type.Id.provably_equal id key.id = None in
    d.storage <- Binding (key.id, v) :: List.filter is_other d.storage

  let get key =
    match find key with
    | Some v -> v
    | None ->
        let v = key.make () in
        set key v;
        v
end
