# dscheck's atomics are functions
s/\[@poll error\]//
# A field that is atomic becomes an Atomic.t, and so does what it is made with
s/mutable \([a-z_]*\) : \(.*\); \[@atomic\]/\1 : (\2) Atomic.t;/
s/\[%atomic\.loc \([^]]*\)\]/\1/g
s/Atomic\.Loc\./Atomic./g
s/mutable next : 'a node \[@atomic\]/next : 'a node Atomic.t/
s/; next = Last }/; next = Atomic.make Last }/
s/{ state = Open; /{ state = Atomic.make Open; /
s/{ root; is_closed = false; /{ root = Atomic.make root; is_closed = Atomic.make false; /
s/permits = freed total;/permits = Atomic.make (freed total);/
s/; level }/; level = Atomic.make level }/
# Who goes round for long gives up
s/most_steps = 1 lsl 20/most_steps = 6/
# A deque with many items has few
s/^let many = 32$/let many = 2/
# Few cells
s/^let number = 64/let number = 2/
