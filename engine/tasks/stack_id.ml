external current : unit -> int = "drover_stack_id" [@@noalloc]
