(* All cases *)

let all = Waiting.all @ Cancelling.all @ Batching.all @ Closing.all
