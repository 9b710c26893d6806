open Drover_harness

(* A segment of the numbers fits a cache. *)
let segment = 65_536

(* The primes up to [n], by Eratosthenes. *)
let small_primes n =
  let composite = Bytes.make (n + 1) '\000' in
  let primes = ref [] in
  for i = 2 to n do
    if Bytes.get composite i = '\000' then begin
      primes := i :: !primes;
      let rec mark k =
        if k <= n then begin
          Bytes.set composite k '\001';
          mark (k + i)
        end
      in
      mark (i * i)
    end
  done;
  List.rev !primes

(* How many primes there are among [lo..hi]. *)
let count_primes primes lo hi =
  let composite = Bytes.make (hi - lo + 1) '\000' in
  let strike p =
    let k = ref (max (p * p) ((lo + p - 1) / p * p)) in
    while !k <= hi do
      Bytes.unsafe_set composite (!k - lo) '\001';
      k := !k + p
    done
  in
  List.iter strike primes;
  Bytes.fold_left (fun n c -> if c = '\000' then n + 1 else n) 0 composite

let segments n loop =
  let primes = small_primes (int_of_float (sqrt (float n)) + 1) in
  let count = (n - 2 + segment) / segment in
  let counts = Array.make count 0 in
  loop ~start:0 ~finish:(count - 1) (fun s ->
      let lo = 2 + (s * segment) in
      counts.(s) <- count_primes primes lo (min n (lo + segment - 1)));
  Array.fold_left ( + ) 0 counts

let kernel : Kernel.t =
  let prepare (p : Kernel.params) =
    let n = Kernel.by_size p.size ~tiny:300_000 ~quick:10_000_000 ~full:100_000_000 in
    Ok
      (Kernel.Problem
         {
           about = Printf.sprintf "numbers up to %d" n;
           input = (fun () -> n);
           serial = (fun n -> segments n Loop.serial);
           versions = Loop.versions (fun loop n -> segments n loop);
           check = Kernel.equal string_of_int;
           note = Printf.sprintf "%d primes";
           picture = None;
         })
  in
  { name = "sieve"; doc = "counting primes by segments"; prepare }
