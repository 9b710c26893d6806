module _ : Interface.Task_with_promise = Domainslib.Task
module _ (T : Interface.Task_with_promise) : module type of Domainslib.Task = T
