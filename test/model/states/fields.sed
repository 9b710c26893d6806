# dscheck's atomics are functions
s/\[@poll error\]//
# A field that is atomic becomes an Atomic.t
s/mutable \([a-z_]*\) : \(.*\); \[@atomic\]/\1 : (\2) Atomic.t;/
s/\[%atomic\.loc \([^]]*\)\]/\1/g
s/Atomic\.Loc\./Atomic./g
# and so does what it is made with
s/^    causes = 0;/    causes = Atomic.make 0;/
s/^    attention = ignore;/    attention = Atomic.make ignore;/
# (a copy has plain fields of its own, too)
s/^    none with$/    none with wait = no_wait; is_alarmed = false;/
s/^    attention;/    attention = Atomic.make attention;/
s/^    state = Live;/    state = Atomic.make Live;/
s/^    children = Shared.Register.empty;/    children = Atomic.make Shared.Register.empty;/
s/{ state = \([A-Z][a-z]*\); body/{ state = Atomic.make \1; body/
s/{ state = public context; body/{ state = Atomic.make (public context); body/
s/^    state = Running;/    state = Atomic.make Running;/
s/{ state = Queued; op/{ state = Atomic.make Queued; op/
s/^    version = 0;/    version = Atomic.make 0;/
s/^    offer = Job.none;/    offer = Atomic.make Job.none;/
s/^    lock = Free;/    lock = Atomic.make Free;/
s/offer = Job.none; lock = Free }/offer = Atomic.make Job.none; lock = Atomic.make Free }/
