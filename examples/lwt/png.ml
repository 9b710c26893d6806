(* Png: pictures of 8-bit red, green and blue, as PNG files (ISO/IEC 15948), compressed by zlib. *)

let signature = "\x89PNG\r\n\x1a\n"

(* Length, type, data, and the checksum of the last two. *)
let add_chunk file kind data =
  let body = kind ^ data in
  Buffer.add_int32_be file (Int32.of_int (String.length data));
  Buffer.add_string file body;
  Buffer.add_int32_be file
    (Zlib.update_crc_string 0l body 0 (String.length body))

let header ~width ~height =
  let b = Buffer.create 13 in
  Buffer.add_int32_be b (Int32.of_int width);
  Buffer.add_int32_be b (Int32.of_int height);
  (* 8 bits, red-green-blue, and the only compression, filter and order of lines that there are. *)
  Buffer.add_string b "\x08\x02\x00\x00\x00";
  Buffer.contents b

let compress text =
  let compressed = Buffer.create 4096 and from = ref 0 in
  let refill bytes =
    let n = Int.min (Bytes.length bytes) (Bytes.length text - !from) in
    Bytes.blit text !from bytes 0 n;
    from := !from + n;
    n
  in
  Zlib.compress ~level:3 refill (fun bytes n ->
      Buffer.add_subbytes compressed bytes 0 n);
  Buffer.contents compressed

(* Each line of pixels starts with a byte for its filter, here none. *)
let line_length width = 1 + (3 * width)

(* [lines] has [height] lines of [line_length width] bytes. *)
let encode ~width ~height lines =
  let file = Buffer.create 4096 in
  Buffer.add_string file signature;
  add_chunk file "IHDR" (header ~width ~height);
  add_chunk file "IDAT" (compress lines);
  add_chunk file "IEND" "";
  Buffer.contents file
