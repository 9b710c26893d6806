(** The rewriter of [for%par], [let%par] and their like. It has nothing to call: a dune file names
    it, and the {{!page-ppx}manual} shows what to write. *)
