// What people look for in the manual, and what is in no manual: run by "dune test" where there is node.
//
//   node test_find.js FIND.JS PLACES.JS

const { readFileSync } = require('fs'), { runInThisContext } = require('vm')
const [find_js, places_js] = process.argv.slice(2).map(file => readFileSync(file, 'utf8'))
runInThisContext(find_js + places_js + '; Object.assign(globalThis, { places, find })')

const queries = [
  'deadlock', 'cutoff', 'cache', 'gc', 'garbage collector', 'grain', 'memory', 'DROVER_DEBUG',
  'DROVER_DOMAINS', 'number of cores', 'cpu', 'threads', 'mutex', 'channel', 'timeout', 'cancel',
  'exception', 'backtrace', 'data race', 'random', 'sort', 'Array.map', 'reduce', 'prefix sum',
  'group by', 'hash table', 'queue', 'read a file', 'lines', 'blocking', 'sleep', 'ctrl-c',
  'eio', 'lwt', 'mpi', 'domainslib', 'speed-up', 'slow', 'trace', 'stack overflow',
  'minor heap', 'bigarray', 'memoise', 'chunk size', 'docker', 'tsan', 'install', 'openmp',
]
const first = { 'Array.map': 'drover/Drover/Array/index.html#val-map', mutex: 'drover/Drover/Mutex/index.html' }
const nonsense = ['xyzzy', 'deadlock xyzzy', ' ']

const addresses = query => find(query, places).map(f => f.address)
const failures = [
  ...queries.filter(q => !addresses(q).length).map(q => `nothing found for "${q}"`),
  ...Object.keys(first).filter(q => addresses(q)[0] !== first[q]).map(q => `"${q}" finds ${addresses(q)[0]} first`),
  ...nonsense.filter(q => addresses(q).length).map(q => `found for "${q}": ${addresses(q)}`),
]
failures.forEach(f => console.log(f))
console.log(`${queries.length} queries, ${failures.length} failures`)
process.exit(failures.length ? 1 : 0)
