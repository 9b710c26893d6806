(* Domainslib's channels on Drover against a queue of limited length, on random calls, from one
   domain and from two. *)

open STM
module Chan = Domainslib.Chan

module Spec = struct
  type cmd = Send of int | Send_poll of int | Recv | Recv_poll
  type state = int list
  type sut = int Chan.t

  let capacity = 4

  let show_cmd = function
    | Send v -> Printf.sprintf "send %d" v
    | Send_poll v -> Printf.sprintf "send_poll %d" v
    | Recv -> "recv"
    | Recv_poll -> "recv_poll"

  (* Calls that would wait for ever are not made: a precondition says so to the generator. *)
  let arb_cmd _ =
    let open QCheck.Gen in
    QCheck.make ~print:show_cmd
      (oneof
         [
           map (fun v -> Send v) nat; map (fun v -> Send_poll v) nat; return Recv; return Recv_poll;
         ])

  let init_state = []
  let init_sut () = Chan.make_bounded capacity
  let cleanup _ = ()
  let is_full messages = List.length messages >= capacity

  let precond cmd messages =
    match cmd with Send _ -> not (is_full messages) | Recv -> messages <> [] | _ -> true

  let next_state cmd messages =
    match (cmd, messages) with
    | (Send v | Send_poll v), _ -> if is_full messages then messages else messages @ [ v ]
    | (Recv | Recv_poll), [] -> []
    | (Recv | Recv_poll), _ :: rest -> rest

  let run cmd c =
    match cmd with
    | Send v -> Res (unit, Chan.send c v)
    | Send_poll v -> Res (bool, Chan.send_poll c v)
    | Recv -> Res (int, Chan.recv c)
    | Recv_poll -> Res (option int, Chan.recv_poll c)

  let postcond cmd (messages : state) result =
    let first = List.nth_opt messages 0 in
    match (cmd, result) with
    | Send _, Res ((Unit, _), ()) -> not (is_full messages)
    | Send_poll _, Res ((Bool, _), sent) -> sent = not (is_full messages)
    | Recv, Res ((Int, _), v) -> Option.equal Int.equal first (Some v)
    | Recv_poll, Res ((Option Int, _), found) -> Option.equal Int.equal first found
    | _ -> false
end

module Sequential = STM_sequential.Make (Spec)
module Parallel = STM_domain.Make (Spec)

let () =
  Test_support.Properties.run
    [
      Sequential.agree_test ~count:500 ~name:"Chan, one domain";
      Parallel.agree_test_par ~count:200 ~name:"Chan, two domains";
    ]
