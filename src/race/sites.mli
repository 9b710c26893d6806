(** Sites: places in the program's text, and what they do there. *)

type t = int
(** The type for sites, from 1 on. *)

val bits : int
(** [bits] is how many bits a site takes. *)

val add : file:string -> (int * int * string) array -> t array
(** [add ~file l] is sites of [file], with their lines, their columns and what they do, such as
    [a.(i) <- ..]. *)

val here : t ref
(** [here] is the site of the latest call that is noted; or 0. *)

type place = { file : string; line : int; column : int; what : string }
(** The type for what a site is. *)

val place : t -> place option
(** [place site] is what [site] is; [None] for 0. *)

val refers : file:string -> string list -> unit
(** [refers ~file paths]: [file], which was rewritten, names the modules [paths]. *)

val unseen : unit -> string list
(** [unseen ()] is the modules that rewritten files name, and that were not rewritten. *)
