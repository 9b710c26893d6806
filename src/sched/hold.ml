(* Hold: what a task must give back before it ends, as a mutex.

   It knows its holder by number, so that to take and to give back costs two plain stores. A task
   remembers what it took, newest first; what it has given back is forgotten when it takes the
   next. *)

type t = {
  name : string;
  mutable holder : int;
  abandon : unit -> unit; (* its holder has ended *)
}

let nobody = 0
let last = Atomic.make nobody
let fresh_number () = 1 + Atomic.fetch_and_add last 1

(* Before it is given back, so that the next holder's number stays. *)
let[@inline] give_back h = h.holder <- nobody

let rec without_given_back number = function
  | h :: older when h.holder <> number -> without_given_back number older
  | held -> held

(* The outcome of a task that remembers [held] at its end. *)
let at_end number held outcome =
  let abandon h =
    h.holder = number
    && begin
      give_back h;
      h.abandon ();
      true
    end
  in
  match (List.filter abandon held, outcome) with
  | [], _ | _, Error _ -> outcome
  | left, Ok _ ->
      let names = String.concat ", " (List.map (fun h -> h.name) left) in
      Failure.catch (fun () -> invalid_arg ("Drover.Mutex: a task has ended that held " ^ names))
