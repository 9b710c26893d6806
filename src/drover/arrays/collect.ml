(* Collect: each run of a loop pushes what it has into a buffer of its own (see [Fold]).

   A buffer is a list of chunks. These are short, so that they are young: to store a result in
   one takes the collector no note of it, and nothing is copied when the buffer grows. *)

type 'a t = {
  mutable full : 'a array list; (* latest first *)
  mutable last : 'a array;
  mutable used : int; (* of [last] *)
  shortest : int; (* the first chunk *)
  mutable push : 'a -> unit;
}

let longest = 256 (* what the minor heap takes *)

let close b =
  if b.used > 0 then begin
    let whole = b.used = Array.length b.last in
    b.full <- (if whole then b.last else Array.sub b.last 0 b.used) :: b.full;
    b.last <- [||];
    b.used <- 0
  end

let start_chunk b x =
  let length = Int.min longest (Int.max b.shortest (2 * Array.length b.last)) in
  close b;
  b.last <- Array.make length x;
  b.used <- 1

let[@inline] push b x =
  if b.used = Array.length b.last then start_chunk b x
  else begin
    Array.unsafe_set b.last b.used x;
    b.used <- b.used + 1
  end

let pusher b = b.push

let create shortest =
  let b = { full = []; last = [||]; used = 0; shortest; push = ignore } in
  b.push <- (fun x -> push b x);
  b

let append b a =
  if Array.length a > longest then begin
    close b;
    b.full <- a :: b.full
  end
  else
    for i = 0 to Array.length a - 1 do
      push b (Array.unsafe_get a i)
    done

let merge b c =
  close b;
  close c;
  b.full <- c.full @ b.full;
  b

let to_array b =
  match b.full with
  | [] -> if b.used = 0 then [||] else Array.sub b.last 0 b.used
  | _ :: _ ->
      close b;
      Arrays_move.concat_all (Array.of_list (List.rev b.full))

(* Up to two an element are one chunk. *)
let over n step =
  let step b lo hi =
    step b lo hi;
    b
  and make () = create (Int.max 16 (Int.min longest (2 * n))) in
  to_array (Fold.over n ~make ~merge step)

let alone step =
  let b = create 16 in
  step b;
  to_array b

let parallel_collect ?grain ~start ~finish f =
  let step b i =
    f i (pusher b);
    b
  in
  to_array
    (Fold.fold_as "parallel_collect" ?grain ~start ~finish ~make:(fun () -> create 16) ~merge step)
