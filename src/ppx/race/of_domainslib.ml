open Ppxlib

let telling ~loc path e =
  match path with
  | Lident _ | Lapply _ -> e
  | Ldot (m, name) -> (
      match (File.of_domainslib m, name) with
      | Some "Chan", "send" -> [%expr fun c v -> Drover_race.Std_messages.sending [%e e] c v]
      | Some "Chan", "send_poll" ->
          [%expr fun c v -> Drover_race.Std_messages.trying_to_send [%e e] c v]
      | Some "Chan", "recv" -> [%expr fun c -> Drover_race.Std_messages.receiving [%e e] c]
      | Some "Chan", "recv_poll" ->
          [%expr fun c -> Drover_race.Std_messages.trying_to_receive [%e e] c]
      | Some "Task", "parallel_scan" ->
          [%expr fun pool op a -> [%e e] pool op (Drover_race.Tell.reading_all a)]
      (* Chunks that depend on the number of domains are none: an iteration is a strand. *)
      | Some "Task", "parallel_for_reduce" ->
          [%expr
            fun ?(chunk_size = 0) ~start -> [%e e] ~chunk_size:(Stdlib.Int.max 1 chunk_size) ~start]
      | _ -> e)
