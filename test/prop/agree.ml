(* Agreement of a structure with its sequential oracle: alone, and under two domains at a time. *)

open Test_support

module Make (Spec : STM.Spec) = struct
  module Sequential = STM_sequential.Make (Spec)
  module Domains = STM_domain.Make (Spec)

  let sequential name = Sequential.agree_test ~count:1000 ~name:(name ^ ", sequential")

  (* After a prefix, the first domain runs [one]'s commands while the second runs [other]'s: there
     is an order of them all that the oracle agrees with. The races are short, so each program runs
     often. *)
  let domains ?(count = 300) ~prefix ~before ~one ~other name =
    let name = name ^ ", two domains" in
    let programs = Domains.arb_triple_asym prefix 8 before one other in
    let show =
      QCheck.Print.(triple (list Spec.show_cmd) (list Spec.show_cmd) (list Spec.show_cmd))
    in
    QCheck.Test.make ~count ~name programs (fun program ->
        QCheck.assume (Domains.all_interleavings_ok program);
        Watchdog.guard ~seconds:300.
          (name ^ ": " ^ show program)
          (fun () -> Util.repeat 25 Domains.agree_prop_par_asym program))
end
