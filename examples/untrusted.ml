(* Two thousand files are analysed, of which one never ends, one eats all memory, and one overflows the
   stack. Each gets its line in the report, and the others their results. *)

(* An analysis that looks nowhere whether it is cancelled. *)

let rec depth file = 1 + depth (file + 1)

let eat () =
  let kept = ref [] in
  while true do
    kept := Bytes.make 10_000_000 ' ' :: !kept
  done

let spin () =
  while true do
    ignore (Sys.opaque_identity ())
  done

let analyse file =
  if file = 500 then spin ();
  if file = 1000 then eat ();
  if file = 1500 then depth file else file mod 7

(* What the analyses have in common: they are interrupted anywhere, but not in here. *)

let findings = Hashtbl.create 7
let lock = Drover.Mutex.create ()

let note finding =
  Drover.Scope.protect (fun () ->
      Drover.Mutex.protect lock (fun () ->
          let before =
            Option.value (Hashtbl.find_opt findings finding) ~default:0
          in
          Hashtbl.replace findings finding (before + 1)))

let megabytes n = n * 1024 * 1024 / (Sys.word_size / 8)

let report file =
  match
    Drover.Scope.limited ~timeout:4. ~heap:(megabytes 64) (fun () ->
        note (analyse file))
  with
  | () -> None
  | exception Drover.Scope.Timeout -> Some "takes too long"
  | exception Drover.Scope.Exceeded _ -> Some "needs too much memory"
  | exception Stack_overflow -> Some "overflows the stack"

let () =
  Gc.set { (Gc.get ()) with stack_limit = 1_000_000 };
  let reports = Drover.Array.init 2000 report in
  let tell file =
    Option.iter (fun problem -> Printf.printf "file %d %s\n" file problem)
  in
  Array.iteri tell reports;
  let analysed = Hashtbl.fold (fun _ n sum -> n + sum) findings 0 in
  Printf.printf "%d files are analysed\n" analysed
