(* Records summed by a string key. *)

type record = { account : string; amount : int }

let add_to sums account amount =
  match Hashtbl.find_opt sums account with
  | Some sum -> sum := !sum + amount
  | None -> Hashtbl.add sums account (ref amount)

let sum records lo hi =
  let sums = Hashtbl.create 1024 in
  for i = lo to hi do
    add_to sums records.(i).account records.(i).amount
  done;
  sums

let merge a b =
  Hashtbl.iter (fun account sum -> add_to a account !sum) b;
  a

let to_array sums =
  Array.of_seq
    (Seq.map (fun (account, sum) -> (account, !sum)) (Hashtbl.to_seq sums))

let serial records = to_array (sum records 0 (Array.length records - 1))

let drover records =
  Drover.Array.reduce_by ~combine:( + )
    (fun r -> r.account)
    (fun r -> r.amount)
    records

let domainslib pool records =
  let parts =
    Drover_kernels.Chunks.map pool (Array.length records) (sum records)
  in
  to_array (List.fold_left merge (Hashtbl.create 1024) parts)

(* Any order will do. *)
let check ~expected sums =
  let sorted a = List.sort compare (Array.to_list a) in
  if sorted sums = sorted expected then Ok () else Error "the sums differ"

let input n =
  let accounts = Int.max 1 (n / 20) in
  let record i =
    {
      account = Printf.sprintf "account %d" (i * 7919 * 104_729 mod accounts);
      amount = i land 255;
    }
  in
  Array.init n record

let kernel =
  Program.kernel ~name:"by-key"
    ~doc:"records summed by a string key; a key has twenty"
    ~sizes:(2_000, 1_000_000, 4_000_000)
    ~about:(Printf.sprintf "%d records")
    ~input ~check
    ~show:(fun sums -> Printf.sprintf "%d keys" (Array.length sums))
    ~serial ~drover ~domainslib ()
