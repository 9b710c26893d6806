type t = { descriptor : Unix.file_descr; for_writing : bool; ready : unit -> unit }

let watches : t list Atomic.t = Atomic.make []
let add w = Shared.push watches w
let without w = List.filter (( != ) w)
let remove w = Shared.change watches (without w)
let are_there () = Atomic.get watches <> []

(* The step that removes [w] is of the one that calls. *)
let serve w = if List.memq w (Shared.update watches (without w)) then w.ready ()

(* Somebody has closed it: the task that waits for it will see. *)
let is_closed w =
  match Unix.fstat w.descriptor with
  | (_ : Unix.stats) -> false
  | exception Unix.Unix_error (EBADF, _, _) -> true
  | exception Unix.Unix_error _ -> false

(* [select read write] is those that are ready. *)
let serve_by select =
  let all = Atomic.get watches in
  let descriptors ~for_writing =
    let of_watch w = if w.for_writing = for_writing then Some w.descriptor else None in
    List.sort_uniq compare (List.filter_map of_watch all)
  in
  let is_served =
    match select (descriptors ~for_writing:false) (descriptors ~for_writing:true) with
    | [], [] -> fun _ -> false
    | read, write -> fun w -> List.mem w.descriptor (if w.for_writing then write else read)
    | exception Unix.Unix_error (EBADF, _, _) -> is_closed
  in
  List.iter (fun w -> if is_served w then serve w) all

let look () = serve_by (fun read write -> Bell.select read write 0.)
let park bell ~until = serve_by (fun read write -> Bell.park ~read ~write bell ~until)
