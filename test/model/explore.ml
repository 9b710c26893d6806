(* A model: what its processes are, and what must hold when all have ended. *)

(* [case name setup] checks the interleavings of the processes that [setup] returns, up to the
   order of independent steps, and then as many again by chance as find what the former leaves out:
   where a process goes on with the rest of another, dscheck's search was seen to miss some. The
   function beside them runs after each interleaving, untraced, and raises when something is wrong. *)

let by_chance = 1000

let explore setup =
  let begin_one () =
    let processes, finally = setup () in
    List.iter Atomic.spawn processes;
    Atomic.final finally
  in
  Atomic.trace begin_one;
  Atomic.trace ~impl:(`Random by_chance) begin_one

let case name setup = Alcotest.test_case name `Quick (fun () -> explore setup)

(* [finds name setup] checks that something is wrong after one of these. *)
let finds name setup =
  Alcotest.test_case name `Quick (fun () ->
      let is_found = ref false in
      let setup () =
        let processes, finally = setup () in
        (processes, fun () -> try finally () with _ -> is_found := true)
      in
      explore setup;
      Alcotest.(check bool) "found" true !is_found)

(* Taken were the items 1 .. n, each once. *)
let each_once n taken =
  Alcotest.(check (list int)) "each item once" (List.init n succ) (List.sort compare taken)
