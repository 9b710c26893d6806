# A plain field that one party stores before it loads another's becomes a Plain.t, and so does what it is made with
s/mutable (wait|is_alarmed|to_look|until|loops) : ([^;]*);/\1 : (\2) Plain.t;/
s/( |^)(wait|is_alarmed|to_look|until|loops) = ([^;}]*[^;} ])( *[;}])/\1\2 = Plain.make (\3)\4/g
# A store, and then what is left: a load
s/(^|[^A-Za-z_.])([a-z][a-z.]*)\.(wait|is_alarmed|to_look|until|loops) <- ([^;]*)/\1Plain.set (\2).\3 (\4)/
s/(^|[^A-Za-z_.])([a-z][a-z.]*)\.(wait|is_alarmed|to_look|until|loops)($|[^a-z_])/\1(Plain.get \2.\3)\4/g
