(* Runs programs of the suite on one domain, and prints the processor time that each takes, in seconds. *)

open Drover_harness

let run_kernel size (k : Kernel.t) =
  match k.prepare { size; rle = None; dir = None } with
  | Error reason -> failwith (k.name ^ ": " ^ reason)
  | Ok (Problem p) ->
      let input = p.input () in
      let run { Kernel.engine; _ } =
        match engine with
        | Drover f ->
            let since = Sys.time () in
            ignore (Sys.opaque_identity (Drover.run ~domains:1 (fun () -> f input)));
            Printf.printf "%-20s %.4f\n%!" k.name (Sys.time () -. since)
        | _ -> ()
      in
      List.iter run p.versions

let main kernels =
  let size, names =
    match Array.to_list Sys.argv with
    | _ :: "quick" :: names -> (Kernel.Quick, names)
    | _ :: "tiny" :: names -> (Tiny, names)
    | _ -> failwith "usage: tiny|quick NAME.."
  in
  let is_wanted (k : Kernel.t) = names = [] || List.mem k.name names in
  List.iter (run_kernel size) (List.filter is_wanted kernels)
