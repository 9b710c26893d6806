open Drover_harness

(* Records with a key, and a number to be summed. *)
type record = { key : string; amount : int }

let key r = r.key
let amount r = r.amount

let add_to sums key amount =
  match Hashtbl.find_opt sums key with
  | Some sum -> sum := !sum + amount
  | None -> Hashtbl.add sums key (ref amount)

let sum records lo hi =
  let sums = Hashtbl.create 1024 in
  for i = lo to hi do
    add_to sums records.(i).key records.(i).amount
  done;
  sums

let merge a b =
  Hashtbl.iter (fun key sum -> add_to a key !sum) b;
  a

let listed sums =
  let a = Array.of_seq (Seq.map (fun (key, sum) -> (key, !sum)) (Hashtbl.to_seq sums)) in
  Array.sort compare a;
  a

let serial records = listed (sum records 0 (Array.length records - 1))

let drover records =
  let sums = Drover.Array.reduce_by key amount ( + ) records in
  Drover.Array.sort compare sums;
  sums

let domainslib pool records =
  listed
    (List.fold_left merge (Hashtbl.create 1024)
       (Chunks.map pool (Array.length records) (sum records)))

let show sums = Printf.sprintf "%d keys" (Array.length sums)

let prepare (p : Kernel.params) =
  let n = Kernel.by_size p.size ~tiny:2_000 ~quick:300_000 ~full:1_000_000 in
  let keys = Int.max 1 (n / 20) in
  let record i =
    let k = i * 7919 * 104_729 mod keys in
    { key = "account " ^ string_of_int k; amount = i land 255 }
  in
  Ok
    (Kernel.Problem
       {
         about = Printf.sprintf "%d records, summed by %d keys" n keys;
         input =
           (let records = Array.init n record in
            fun () -> records);
         serial;
         versions = [ Kernel.drover drover; Kernel.domainslib domainslib ];
         check = Kernel.equal show;
         note = show;
         picture = None;
       })

let kernel : Kernel.t =
  { name = "by-key"; doc = "records summed by a string key; a key has twenty"; prepare }
