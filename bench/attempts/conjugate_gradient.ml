(* Fifty steps of the conjugate gradient method, for the five-point Laplacian of a square grid whose
   border is 0. A vector has [width] times [width] elements. *)

let steps = 50

(* The loops, as each version writes them. *)
type loops = {
  laplacian : int -> float array -> float array -> unit;
  dot : float array -> float array -> float;
  add : float array -> float -> float array -> unit; (* x <- x + a y *)
  add_to : float array -> float -> float array -> unit; (* x <- y + a x *)
}

let solve l (width, b) =
  let x = Array.map (fun _ -> 0.) b and q = Array.map (fun _ -> 0.) b in
  let p = Array.copy b and r = Array.copy b in
  let rr = ref (l.dot r r) in
  for _ = 1 to steps do
    l.laplacian width p q;
    let alpha = !rr /. l.dot p q in
    l.add x alpha p;
    l.add r (-.alpha) q;
    let next = l.dot r r in
    l.add_to p (next /. !rr) r;
    rr := next
  done;
  x

let serial =
  solve
    {
      laplacian =
        (fun width p q ->
          for y = 1 to width - 2 do
            for i = (y * width) + 1 to (y * width) + width - 2 do
              q.(i) <-
                (4. *. p.(i))
                -. p.(i - 1)
                -. p.(i + 1)
                -. p.(i - width)
                -. p.(i + width)
            done
          done);
      dot =
        (fun a b ->
          let sum = ref 0. in
          for i = 0 to Array.length a - 1 do
            sum := !sum +. (a.(i) *. b.(i))
          done;
          !sum);
      add =
        (fun x a y ->
          for i = 0 to Array.length x - 1 do
            x.(i) <- x.(i) +. (a *. y.(i))
          done);
      add_to =
        (fun x a y ->
          for i = 0 to Array.length x - 1 do
            x.(i) <- y.(i) +. (a *. x.(i))
          done);
    }

(* By the package ppx_drover. *)
let by_syntax =
  solve
    {
      laplacian =
        (fun width p q ->
          for%par y = 1 to width - 2 do
            for i = (y * width) + 1 to (y * width) + width - 2 do
              q.(i) <-
                (4. *. p.(i))
                -. p.(i - 1)
                -. p.(i + 1)
                -. p.(i - width)
                -. p.(i + width)
            done
          done);
      dot =
        (fun a b ->
          for%sum i = 0 to Array.length a - 1 do
            a.(i) *. b.(i)
          done);
      add =
        (fun x a y ->
          for%par i = 0 to Array.length x - 1 do
            x.(i) <- x.(i) +. (a *. y.(i))
          done);
      add_to =
        (fun x a y ->
          for%par i = 0 to Array.length x - 1 do
            x.(i) <- y.(i) +. (a *. x.(i))
          done);
    }

(* By a function for each element. *)
let by_element =
  let each x f =
    Drover.parallel_for ~start:0 ~finish:(Array.length x - 1) f
  in
  solve
    {
      laplacian =
        (fun width p q ->
          Drover.parallel_for ~start:1 ~finish:(width - 2) (fun y ->
              for i = (y * width) + 1 to (y * width) + width - 2 do
                q.(i) <-
                  (4. *. p.(i))
                  -. p.(i - 1)
                  -. p.(i + 1)
                  -. p.(i - width)
                  -. p.(i + width)
              done));
      dot =
        (fun a b ->
          Drover.parallel_reduce ~start:0
            ~finish:(Array.length a - 1)
            ~init:0. ~combine:( +. )
            (fun i -> a.(i) *. b.(i)));
      add = (fun x a y -> each x (fun i -> x.(i) <- x.(i) +. (a *. y.(i))));
      add_to =
        (fun x a y -> each x (fun i -> x.(i) <- y.(i) +. (a *. x.(i))));
    }

(* A source in the middle. *)
let input n =
  let width = n + 2 in
  let b = Array.make (width * width) 0. in
  b.((n / 2 * width) + (n / 2)) <- 1.;
  (width, b)

(* Sums are grouped in another way. *)
let check ~expected x =
  let near a b = Float.abs (a -. b) < 1e-9 in
  if Array.for_all2 near expected x then Ok () else Error "other values"

let kernel ~name ~doc drover =
  Drover_programs.Program.kernel ~name ~doc ~sizes:(30, 500, 1_000)
    ~about:(fun n -> Printf.sprintf "%d steps on %d x %d points" steps n n)
    ~input ~check
    ~show:(fun x ->
      Printf.sprintf "largest %g" (Array.fold_left Float.max 0. x))
    ~serial ~drover ()

let kernels =
  [
    kernel ~name:"cg" ~doc:"conjugate gradient by for%par and for%sum"
      by_syntax;
    kernel ~name:"cg-elements"
      ~doc:"the same by parallel_for and parallel_reduce over elements"
      by_element;
  ]
