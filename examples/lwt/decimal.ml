(* Decimal: numbers in what strangers send. *)

let is_digit = function '0' .. '9' -> true | _ -> false

(* No number that fits has more digits. *)
let most_digits = 18

(* The number from 0 to [most] that the text is: digits, and nothing else. *)
let of_string ~most text =
  let length = String.length text in
  if
    length = 0 || length > most_digits || not (String.for_all is_digit text)
  then None
  else
    let n = int_of_string text in
    if n <= most then Some n else None
