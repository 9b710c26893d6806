(* The processor time that control groups allow, read from trees of files like the kernel's, and the time that
   threads have used. *)

let group text = ("proc/self/cgroup", text)

let allows name expected files =
  let check () =
    Folder.with_tree files (fun root ->
        let quota = Drover_engine.Processors.cgroup_quota ~root in
        Alcotest.(check int) name (Option.value expected ~default:max_int) quota)
  in
  Alcotest.test_case name `Quick check

let v1 dir quota =
  [
    ("sys/fs/cgroup/" ^ dir ^ "/cpu.cfs_quota_us", quota ^ "\n");
    ("sys/fs/cgroup/" ^ dir ^ "/cpu.cfs_period_us", "100000\n");
  ]

(* Where the system tells. *)
let time_grows () =
  match Drover_engine.Processors.time_file () with
  | None -> Alcotest.(check bool) "only Linux does" false (Sys.file_exists "/proc/self/schedstat")
  | Some place ->
      let ran () =
        Option.fold ~none:0.
          ~some:(fun t -> t.Drover_engine.Processors.ran)
          (Drover_engine.Processors.read_time place)
      in
      let before = ran () in
      while ran () < before +. 0.005 do
        ignore (Sys.opaque_identity (ref 0))
      done

let time_of_nobody () =
  let nobody = Drover_engine.Processors.read_time "/proc/0/task/0/schedstat" in
  Alcotest.(check bool) "none" true (Option.is_none nobody)

let () =
  Alcotest.run "unit processors"
    [
      ( "none",
        [
          allows "no control groups" None [];
          allows "an empty list" None [ group "" ];
          allows "a group without files" None [ group "0::/a\n" ];
          allows "nonsense" None [ group "0::/a\n"; ("sys/fs/cgroup/a/cpu.max", "many few\n") ];
        ] );
      ( "version 2",
        [
          allows "no limit" None [ group "0::/a\n"; ("sys/fs/cgroup/a/cpu.max", "max 100000\n") ];
          allows "rounded up" (Some 2)
            [ group "0::/a\n"; ("sys/fs/cgroup/a/cpu.max", "150000 100000\n") ];
          allows "less than one" (Some 1)
            [ group "0::/a\n"; ("sys/fs/cgroup/a/cpu.max", "5000 100000\n") ];
          allows "a parent's limit" (Some 3)
            [
              group "0::/a/b\n";
              ("sys/fs/cgroup/a/b/cpu.max", "800000 100000\n");
              ("sys/fs/cgroup/a/cpu.max", "300000 100000\n");
            ];
          allows "the root of a container" (Some 4)
            [ group "0::/\n"; ("sys/fs/cgroup/cpu.max", "400000 100000\n") ];
        ] );
      ( "version 1",
        [
          allows "a quota" (Some 2)
            (group "4:cpu,cpuacct:/a\n1:name=systemd:/a\n" :: v1 "cpu,cpuacct/a" "200000");
          allows "no quota" None (group "4:cpu,cpuacct:/a\n" :: v1 "cpu,cpuacct/a" "-1");
        ] );
      ( "a thread's time",
        [
          Test_support.Watchdog.case "grows" time_grows;
          Test_support.Watchdog.case "of one that has ended" time_of_nobody;
        ] );
      ( "here",
        [
          Alcotest.test_case "at least one" `Quick (fun () ->
              Alcotest.(check bool) "at least one" true (Drover_engine.Processors.available () >= 1));
        ] );
    ]
