(* Growth: of a structure that keeps its length. *)

(* [set]s the length, which was [before], after [f ()], which is by how much it has grown. Stopped
   halfway, such as by the end of a scope, [f] has done some of its work: [recount] tells. *)
let count ~before ~set ~recount f =
  match f () with
  | grown -> set (before + grown)
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      set (Drover.Scope.protect recount);
      Printexc.raise_with_backtrace exn backtrace
