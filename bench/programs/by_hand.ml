open Domainslib

let both pool f g =
  let right = Task.async pool g in
  let left = f () in
  (left, Task.await pool right)

let init pool n f =
  if n = 0 then [||]
  else begin
    let a = Array.make n (f 0) in
    Task.parallel_for pool ~start:1 ~finish:(n - 1) ~body:(fun i ->
        a.(i) <- f i);
    a
  end

let fold pool n f merge =
  let domains = Task.get_num_domains pool in
  let part i =
    Task.async pool (fun () ->
        f (i * n / domains) (((i + 1) * n / domains) - 1))
  in
  let results = List.map (Task.await pool) (List.init domains part) in
  List.fold_left merge (List.hd results) (List.tl results)

let merge cmp src lo mid hi dst =
  let rec go i j k =
    if k < hi then
      if i < mid && (j = hi || cmp src.(i) src.(j) <= 0) then begin
        dst.(k) <- src.(i);
        go (i + 1) j (k + 1)
      end
      else begin
        dst.(k) <- src.(j);
        go i (j + 1) (k + 1)
      end
  in
  go lo mid lo

let sort pool cmp a =
  (* Sorts the places from [lo] to [hi - 1] of [src], which [dst] has as well, into [dst]. *)
  let rec go src dst lo hi =
    if hi - lo < 4096 then begin
      let part = Array.sub src lo (hi - lo) in
      Array.stable_sort cmp part;
      Array.blit part 0 dst lo (hi - lo)
    end
    else begin
      let mid = (lo + hi) / 2 in
      let (), () =
        both pool
          (fun () -> go dst src lo mid)
          (fun () -> go dst src mid hi)
      in
      merge cmp src lo mid hi dst
    end
  in
  go (Array.copy a) a 0 (Array.length a)
