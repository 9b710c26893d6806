(* Stands for the workers' deques, which have a model of their own: what is put there runs at once, or lies
   where all can see it. *)

type _ t = Runs : Job.t t | Keeps : 'a list Atomic.t -> 'a t

let make_room (_ : _ t) = ()
let has_room (_ : _ t) = true
let is_empty (_ : _ t) = true

let put (type a) (t : a t) (job : a) =
  (match t with
  | Runs ->
      let (Job.Job job) = job in
      ignore (job.body ())
  | Keeps jobs -> Shared.push jobs job);
  true

let push t job = ignore (put t job : bool)
