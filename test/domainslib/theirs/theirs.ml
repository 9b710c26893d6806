(* [module type of] makes the types of an alias, as [Domainslib.Task] is one, equal to the
   original's; that of the original keeps them abstract. *)

module _ : Interface.Task = Domainslib.Task
module _ (T : Interface.Task) : module type of Domainslib__Task = T
module _ : Interface.Chan = Domainslib.Chan
module _ (C : Interface.Chan) : module type of Domainslib__Chan = C
