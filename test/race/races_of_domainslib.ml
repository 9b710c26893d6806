(* Domainslib's interface: what begins strands there, and what orders them. *)

open Domainslib

let n = 100

let in_pool f =
  let pool = Task.setup_pool ~num_domains:3 () in
  Task.run pool (fun () -> f pool);
  Task.teardown_pool pool

let loop is_racy =
  let a = Array.make (n + 1) 0 in
  in_pool (fun pool ->
      Task.parallel_for pool ~start:0 ~finish:(n - 1) ~body:(fun i ->
          a.(i) <- a.(if is_racy then i + 1 else i)))

let reduction is_racy =
  let last = ref 0 and sum = ref 0 in
  let body i =
    if is_racy then last := i;
    i
  in
  in_pool (fun pool -> sum := Task.parallel_for_reduce pool ~start:1 ~finish:n ~body ( + ) 0)

let scan_while_changed is_racy =
  let a = Array.make n 1 in
  in_pool (fun pool ->
      let scanned = Task.async pool (fun () -> Task.parallel_scan pool ( + ) a) in
      if not is_racy then ignore (Task.await pool scanned : int array);
      a.(n / 2) <- 2;
      ignore (Task.await pool scanned : int array))

let tasks is_racy =
  let r = ref 0 in
  in_pool (fun pool ->
      let p = Task.async pool (fun () -> r := 1) in
      if not is_racy then Task.await pool p;
      r := !r + 1;
      Task.await pool p)

let channel is_racy =
  let c = Chan.make_bounded 4 in
  in_pool (fun pool ->
      let sender =
        Task.async pool (fun () ->
            for i = 1 to n do
              let b = Buffer.create 8 in
              Buffer.add_string b (string_of_int i);
              Chan.send c b;
              if is_racy then Buffer.add_char b 'b'
            done)
      in
      for _ = 1 to n do
        ignore (Buffer.contents (Chan.recv c) : string)
      done;
      Task.await pool sender)

let polled_channel is_racy =
  let c = Chan.make_unbounded () in
  in_pool (fun pool ->
      let b = Buffer.create 8 in
      let sender =
        Task.async pool (fun () ->
            Buffer.add_char b 'a';
            ignore (Chan.send_poll c () : bool);
            if is_racy then Buffer.add_char b 'b')
      in
      let rec receive () =
        match Chan.recv_poll c with
        | Some () -> ignore (Buffer.contents b : string)
        | None ->
            Drover.sleep 0.;
            receive ()
      in
      receive ();
      Task.await pool sender)

let all =
  [
    ("Domainslib, parallel_for", loop, "a.(i) <- ..");
    ("Domainslib, parallel_for_reduce", reduction, "last := ..");
    ("Domainslib, parallel_scan", scan_while_changed, "Task.parallel_scan");
    ("Domainslib, async", tasks, "r := ..");
    ("Domainslib, Chan", channel, "Buffer.contents");
    ("Domainslib, polled Chan", polled_channel, "Buffer.contents");
  ]
