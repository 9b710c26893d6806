(* Generated code means the same in a program that gives all names another meaning, and a loop's own
   variables are those around it. *)

open Test_support

let on_domains name f =
  Watchdog.case name @@ fun () -> List.iter (fun domains -> Drover.run ~domains f) [ 1; 2 ]

let check_int = Alcotest.(check int)
let check_float = Alcotest.(check (float 0.))

(* {1 All names mean something else} *)

module Kept = struct
  let square i = float (i * i)
  let times = ( * )
  let twice = ( * ) 2
end

module Strange = struct
  module Drover = struct
    let both = "both"
    let parallel_range = "range"
    let parallel_reduce_range = "reduce"
  end

  module Stdlib = struct
    let ref = "ref"
  end

  module Float = Stdlib
  module Int = Stdlib

  type int = string
  type float = string
  type bool = false | true
  type unit = ()
  type 'a ref = { contents : 'a }
  type 'a option = None | Some
  type 'a list = [] | ( :: )

  let ref = ( :: )
  and min = None
  and max = Some
  and infinity = ()
  and neg_infinity = ()

  let min_int = true
  and max_int = false

  let ( ! ) = "!"
  and ( := ) = ":="
  and ( + ) = "+"
  and ( +. ) = "+."
  and ( ~+ ) = "~+"

  let results cells =
    for%par i = 0 to 9 do
      cells.(i) <- Kept.square i
    done;
    let%par a =
      for%sum i = 0 to 9 do
        cells.(i)
      done
    and b =
      for%min[@grain 2] i = 0 to 9 do
        cells.(i)
      done
    and c =
      for%max i = 0 to 9 do
        cells.(i)
      done
    in
    let%par d =
      for%sum_int i = 1 to 4 do
        i
      done
    and e =
      for%min_int i = 1 to 4 do
        i
      done
    and f =
      for%max_int i = 1 to 4 do
        i
      done
    and g =
      for%reduce[@combine Kept.times] [@identity 1] i = 1 to 4 do
        Kept.twice i
      done
    in
    ((a, b, c), (d, e, f, g))
end
[@@warning "-32-34-37-60-65-69"]

let all_names_mean_something_else () =
  let (a, b, c), (d, e, f, g) = Strange.results (Array.make 10 0.) in
  List.iter2 (check_float "of floats") [ 285.; 0.; 81. ] [ a; b; c ];
  List.iter2 (check_int "of ints") [ 10; 1; 4; 384 ] [ d; e; f; g ]

(* {1 Variables} *)

let names_of_the_expansion () =
  let start = 1 and finish = 3 and lo = 10 and hi = 20 and total = 100 in
  let combine a b = a + b + 0 and identity = 0 in
  let found =
    for%reduce[@combine combine] [@identity identity] i = start to finish do
      i + lo + hi + total
    done
  in
  check_int "sum" 396 found

let as_they_are_around () =
  let x = 1 and apply f v = f v and pick (a, _) = a in
  let module M = struct
    let x = 100
    let only_here = 1_000
  end in
  let sum =
    for%sum_int i = 1 to 10 do
      let y = apply pick (x, "a") + String.length (apply pick ("aa", x)) in
      let x = x + i in
      if i > 0 then
        M.(x + only_here)
        + (let open M in
           only_here)
        + x + y
      else (0 [@strange nowhere])
    done
  in
  (* x is bound in the body, so it is not copied; what M defines is M's. *)
  check_int "sum" ((10 * (100 + 2_000 + 1 + 3)) + 55) sum

type pair = { left : int; right : int }

let in_short_forms () =
  let left = 1 and right = 2 in
  let add ~left ~right () = left + right in
  let sum =
    for%sum_int _ = 1 to 10 do
      let pair = { left; right } in
      add ~left ~right () + pair.left + pair.right
    done
  in
  check_int "sum" 60 sum

let primitives () =
  let values = [ 1; 2; 3 ] and root = sqrt in
  let sum =
    for%sum i = 1 to 10 do
      List.fold_left ( +. ) 0. (List.map float values) +. root (float i *. float i) +. (4. |> sqrt)
    done
  in
  check_float "sum" 135. sum

(* Fields of an object look like variables, and are read again at each use. *)
let fields_of_objects () =
  let counter =
    object (self)
      val mutable n = 0
      val lock = Mutex.create ()
      method add k = Mutex.protect lock (fun () -> n <- n + k)

      method run =
        let last =
          for%max_int i = 1 to 10 do
            self#add i;
            n
          done
        in
        for%par i = 1 to 10 do
          Mutex.protect lock (fun () -> n <- n + i)
        done;
        let nested =
          for%max_int i = 1 to 1 do
            for%par _ = 1 to 10 do
              self#add i
            done;
            n
          done
        in
        (last, n, nested)
    end
  in
  let last, n, nested = counter#run in
  check_int "last" 55 last;
  check_int "at the end" 120 n;
  check_int "nested" 120 nested

class counter =
  object
    val mutable count = 0
    method private next () = count <- count + 1
  end

(* A body reads a field that a function has just changed, wherever the field is defined. *)
let fields_that_functions_change () =
  let read_anew name last =
    let lock = Mutex.create () in
    check_int name 100 (last (fun step -> Mutex.protect lock step))
  in
  let of_this_object locked =
    object
      val mutable count = 0

      method last =
        let next () = count <- count + 1 in
        for%max_int _ = 1 to 100 do
          locked (fun () ->
              next ();
              count)
        done
    end
      #last
  and inherited locked =
    object (self)
      inherit counter

      method last =
        let next = self#next in
        for%max_int _ = 1 to 100 do
          locked (fun () ->
              next ();
              count)
        done
    end
      #last
  and of_the_object_around locked =
    object
      val mutable count = 0

      method last =
        let next () = count <- count + 1 in
        let module Within = struct
          let it =
            object
              method last =
                for%max_int _ = 1 to 100 do
                  locked (fun () ->
                      next ();
                      count)
                done
            end
        end in
        Within.it#last
    end
      #last
  and of_an_initializer locked =
    object
      val mutable count = 0
      val mutable last = 0
      method last = last

      initializer
        let next () = count <- count + 1 in
        last <-
          for%max_int _ = 1 to 100 do
            locked (fun () ->
                next ();
                count)
          done
    end
      #last
  and in_a_nested_loop locked =
    object
      val mutable count = 0

      method last =
        let next () = count <- count + 1 in
        for%max_int _ = 1 to 10 do
          for%max_int _ = 1 to 10 do
            locked (fun () ->
                next ();
                count)
          done
        done
    end
      #last
  in
  read_anew "of this object" of_this_object;
  read_anew "inherited" inherited;
  read_anew "of the object around" of_the_object_around;
  read_anew "of an initializer" of_an_initializer;
  read_anew "in a nested loop" in_a_nested_loop

class square =
  object (self : 'a)
    method private of_int i = i * i
    method side = 2
    method area (other : square) = self#of_int other#side

    (* Only the object itself has private methods, and is a square before its class is complete. *)
    method sum =
      for%sum_int i = 1 to 10 do
        self#of_int i + self#area (self :> square)
      done
  end

let the_object_itself () = check_int "sum" 425 (new square)#sum

let positions_of_each_use () =
  let line (_, line, _, _) = line and of_value (line, ()) = line in
  for%par _ = 1 to 1 do
    let first = [ __LINE__; line __POS__; of_value (() |> __LINE_OF__) ] and place = __LOC__ in
    let second = [ __LINE__; line __POS__; of_value (() |> __LINE_OF__) ] in
    Alcotest.(check (list int)) "lines" (List.map succ first) second;
    Alcotest.(check bool) "the same place" false (String.equal place __LOC__)
  done

let () =
  Alcotest.run "ppx hygiene"
    [
      ( "names",
        [
          on_domains "all mean something else" all_names_mean_something_else;
          on_domains "those of the expansion" names_of_the_expansion;
        ] );
      ( "variables",
        [
          on_domains "are those around" as_they_are_around;
          on_domains "in short forms" in_short_forms;
          on_domains "primitives" primitives;
          on_domains "fields of objects are none" fields_of_objects;
          on_domains "fields that functions change" fields_that_functions_change;
          on_domains "the object itself" the_object_itself;
          on_domains "positions are those of each use" positions_of_each_use;
        ] );
    ]
