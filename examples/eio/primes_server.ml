(* Primes over HTTP: /primes/N is how many primes there are below N.

   The loop reads and writes, and answers /ping by itself. The primes are counted on all cores, also
   those of one request. Not more than a number of requests are in flight: others are refused, so
   that clients come back when there is room. A request that takes too long is given up, and its
   computation with it. SIGTERM ends the program when what has arrived is answered. *)

let is_prime n =
  let rec no_divisor_from d =
    d * d > n || (n mod d <> 0 && no_divisor_from (d + 2))
  in
  n = 2 || (n > 2 && n mod 2 = 1 && no_divisor_from 3)

let one_if_prime n = if is_prime n then 1 else 0

let primes_below n =
  Drover.parallel_reduce ~start:2 ~finish:(n - 1) ~init:0 ~combine:( + )
    one_if_prime

(* On one core. *)
let serial_primes_below n =
  let count = ref 0 in
  for i = 2 to n - 1 do
    count := !count + one_if_prime i
  done;
  !count

let largest = 100_000_000

(* "/primes/N" *)
let number path =
  match String.split_on_char '/' path with
  | [ ""; "primes"; digits ]
    when digits <> ""
         && String.length digits < 10
         && String.for_all
              (function '0' .. '9' -> true | _ -> false)
              digits ->
      let n = int_of_string digits in
      if n <= largest then Some n else None
  | _ -> None

(* In flight, and how many may be. *)
type room = { mutable taken : int; all : int }

let in_room room f =
  if room.taken = room.all then
    { Serve.status = 503; body = "too many requests in flight\n" }
  else begin
    room.taken <- room.taken + 1;
    Fun.protect f ~finally:(fun () -> room.taken <- room.taken - 1)
  end

let count clock room ~deadline compute n =
  in_room room (fun () ->
      match
        Eio.Time.with_timeout_exn clock deadline (fun () -> compute n)
      with
      | primes -> { Serve.status = 200; body = string_of_int primes ^ "\n" }
      | exception Eio.Time.Timeout ->
          { status = 504; body = "it takes too long\n" })

let answer clock room ~deadline compute path : Serve.answer =
  match number path with
  | Some n -> count clock room ~deadline compute n
  | None when path = "/ping" -> { status = 200; body = "pong\n" }
  | None when String.starts_with ~prefix:"/primes/" path ->
      {
        status = 400;
        body = Printf.sprintf "not a number from 0 to %d\n" largest;
      }
  | None -> { status = 404; body = "there are /primes/N and /ping\n" }

let run settings domains in_flight deadline executors =
  Eio_main.run (fun env ->
      Eio.Switch.run (fun sw ->
          let compute =
            if executors then
              let pool =
                let domain_count =
                  Option.value domains
                    ~default:(Domain.recommended_domain_count ())
                in
                Eio.Executor_pool.create ~sw ~domain_count
                  (Eio.Stdenv.domain_mgr env)
              in
              fun n ->
                Eio.Executor_pool.submit_exn pool ~weight:1. (fun () ->
                    serial_primes_below n)
            else
              let pool = Drover.Pool.create ~name:"primes" ?domains () in
              fun n -> Drover_eio.run ~pool (fun () -> primes_below n)
          in
          let room = { taken = 0; all = in_flight } in
          Serve.run settings env
            (answer (Eio.Stdenv.clock env) room ~deadline compute)))

let () =
  let open Cmdliner in
  let open Term.Syntax in
  let term =
    let+ settings = Serve.settings ~port:8080
    and+ domains =
      Arg.(
        value
        & opt (some int) None
        & info [ "domains" ] ~doc:"Domains that compute.")
    and+ in_flight =
      Arg.(
        value & opt int 100
        & info [ "in-flight" ] ~doc:"Computations at a time.")
    and+ deadline =
      Arg.(
        value & opt float 30.
        & info [ "deadline" ] ~doc:"Seconds that a computation may take.")
    and+ executors =
      Arg.(
        value & flag & info [ "executors" ] ~doc:"With Eio's Executor_pool.")
    in
    run settings domains in_flight deadline executors
  in
  exit
    (Cmd.eval
       (Cmd.v (Cmd.info "primes_server" ~doc:"Primes over HTTP") term))
