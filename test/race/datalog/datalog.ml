(* The library that the program opens. *)

module Engine = Engine
module Lexer = Lexer
module Parser = Parser
module Plan = Plan
module Relation = Relation
module Source = Source
module Syntax = Syntax
