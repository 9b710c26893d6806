(* Stripes: what is in a cell is noted, whatever those do who look meanwhile. *)

let put s x =
  Atomic.set (Stripes.mine s) x;
  Stripes.note s

let look s = ignore (Stripes.is_any s : bool)

let model ~before ~writer ~lookers ~holds () =
  let s = Stripes.create ~is_empty:(Int.equal 0) 0 in
  before s;
  ( (fun () -> writer s) :: List.init lookers (fun _ () -> look s),
    fun () -> Alcotest.(check bool) "noted" holds (Stripes.is_noted s && Stripes.is_any s) )

let take_and_put s =
  Atomic.set (Stripes.mine s) 0;
  put s 2

let () =
  Alcotest.run "model stripes"
    [
      ( "noted",
        [
          Explore.case "the first"
            (model ~before:ignore ~writer:(fun s -> put s 1) ~lookers:1 ~holds:true);
          Explore.case "two who look"
            (model ~before:ignore ~writer:(fun s -> put s 1) ~lookers:2 ~holds:true);
          Explore.case "another"
            (model ~before:(fun s -> put s 1) ~writer:take_and_put ~lookers:1 ~holds:true);
          Explore.case "another, two who look"
            (model ~before:(fun s -> put s 1) ~writer:take_and_put ~lookers:2 ~holds:true);
        ] );
      ( "forgotten",
        [
          Explore.case "none is left"
            (model
               ~before:(fun s -> put s 1)
               ~writer:(fun s -> Atomic.set (Stripes.mine s) 0)
               ~lookers:1 ~holds:false);
        ] );
    ]
