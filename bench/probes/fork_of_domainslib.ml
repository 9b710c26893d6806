open Drover_harness

type version = { name : string; one : float; two : float }
type t = version list

let version name one two = { name; one; two }
let counter = [ version "mutex" 271. 567.; version "implicit" 176. 213. ]

let ordered_maps =
  [
    version "skip list, lock" 99. 94.;
    version "skip list, fine" 80. 172.;
    version "skip list, implicit" 71. 180.;
    version "skip list, explicit" 285. 410.;
    version "B-tree, lock" 141. 149.;
    version "B-tree, implicit" 103. 189.;
    version "B-tree, explicit" 1365. 1007.;
  ]

let implicit versions = (List.find (fun v -> v.name = "implicit") versions).two

let figures versions =
  let figure name domains = Probe.figure (Printf.sprintf "the fork's %s, %d" name domains) "a ms" in
  List.concat_map (fun v -> [ figure v.name 1 v.one; figure v.name 2 v.two ]) versions
