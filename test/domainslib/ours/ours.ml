module _ : Interface.Task_with_promise = Domainslib.Task
module _ (T : Interface.Task_with_promise) : module type of Domainslib.Task = T
module _ : Interface.Chan = Domainslib.Chan
module _ (C : Interface.Chan) : module type of Domainslib.Chan = C
