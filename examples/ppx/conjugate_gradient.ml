(* The conjugate gradient method, for the five-point Laplacian of a square
   grid: loops of a few flops a point, in which a call for each point would
   take longer than the work. *)

let n = 150
let width = n + 2
let size = width * width

(* In serial OCaml. The border of the grid is 0. *)
module Serial = struct
  let laplacian p q =
    for y = 1 to n do
      for i = (y * width) + 1 to (y * width) + n do
        q.(i) <-
          (4. *. p.(i))
          -. p.(i - 1)
          -. p.(i + 1)
          -. p.(i - width)
          -. p.(i + width)
      done
    done

  let dot a b =
    let sum = ref 0. in
    for i = 0 to size - 1 do
      sum := !sum +. (a.(i) *. b.(i))
    done;
    !sum

  let solve b =
    let x = Array.make size 0. and q = Array.make size 0. in
    let p = Array.copy b and r = Array.copy b in
    let rec go steps rr =
      if rr < 1e-16 then (steps, x)
      else begin
        laplacian p q;
        let alpha = rr /. dot p q in
        for i = 0 to size - 1 do
          x.(i) <- x.(i) +. (alpha *. p.(i));
          r.(i) <- r.(i) -. (alpha *. q.(i))
        done;
        let next = dot r r in
        let beta = next /. rr in
        for i = 0 to size - 1 do
          p.(i) <- r.(i) +. (beta *. p.(i))
        done;
        go (steps + 1) next
      end
    in
    go 0 (dot r r)
end

(* The same on all cores. *)

let laplacian p q =
  for%par y = 1 to n do
    for i = (y * width) + 1 to (y * width) + n do
      q.(i) <-
        (4. *. p.(i))
        -. p.(i - 1)
        -. p.(i + 1)
        -. p.(i - width)
        -. p.(i + width)
    done
  done

let dot a b =
  for%sum i = 0 to size - 1 do
    a.(i) *. b.(i)
  done

let solve b =
  let x = Array.make size 0. and q = Array.make size 0. in
  let p = Array.copy b and r = Array.copy b in
  let rec go steps rr =
    if rr < 1e-16 then (steps, x)
    else begin
      laplacian p q;
      let alpha = rr /. dot p q in
      for%par i = 0 to size - 1 do
        x.(i) <- x.(i) +. (alpha *. p.(i));
        r.(i) <- r.(i) -. (alpha *. q.(i))
      done;
      let next = dot r r in
      let beta = next /. rr in
      for%par i = 0 to size - 1 do
        p.(i) <- r.(i) +. (beta *. p.(i))
      done;
      go (steps + 1) next
    end
  in
  go 0 (dot r r)

(* A source in the middle. *)
let b =
  let middle = (n / 2 * width) + (n / 2) in
  Array.init size (fun i -> if i = middle then 1. else 0.)

let () =
  let steps, x = solve b and _, expected = Serial.solve b in
  let difference =
    for%max i = 0 to size - 1 do
      Float.abs (x.(i) -. expected.(i))
    done
  in
  Printf.printf "solved: %b\n" (steps < 1_000);
  Printf.printf "as in serial OCaml: %b\n" (difference < 1e-6)
