let all =
  [
    "Stdlib";
    "Drover";
    "Domainslib";
    "Ppx_drover_runtime";
    "Arg";
    "Array";
    "ArrayLabels";
    "Atomic";
    "Bigarray";
    "Bool";
    "Buffer";
    "Bytes";
    "BytesLabels";
    "Callback";
    "Char";
    "Complex";
    "Condition";
    "Digest";
    "Domain";
    "Dynarray";
    "Effect";
    "Either";
    "Filename";
    "Float";
    "Format";
    "Fun";
    "Gc";
    "Hashtbl";
    "In_channel";
    "Int";
    "Int32";
    "Int64";
    "Lazy";
    "Lexing";
    "List";
    "ListLabels";
    "Map";
    "Marshal";
    "Mutex";
    "Nativeint";
    "Obj";
    "Option";
    "Out_channel";
    "Pair";
    "Printexc";
    "Printf";
    "Queue";
    "Random";
    "Result";
    "Scanf";
    "Semaphore";
    "Seq";
    "Set";
    "Stack";
    "StdLabels";
    "String";
    "StringLabels";
    "Sys";
    "Type";
    "Uchar";
    "Unit";
    "Thread";
  ]

let has name = List.mem name all

let modules_of = function
  | "Drover" -> Modules_of_drover.all
  | "Domainslib" -> [ "Batcher"; "Chan"; "Task" ]
  | _ -> []
