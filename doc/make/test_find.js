// What people look for in the manual, and what is in no manual: run by "dune test" where there is node.
//
//   node test_find.js FIND.JS PLACES.JS

const { readFileSync } = require('fs'), { runInThisContext } = require('vm')
const [find_js, places_js] = process.argv.slice(2).map(file => readFileSync(file, 'utf8'))
runInThisContext(find_js + places_js + '; Object.assign(globalThis, { places, find })')

// What is found first, or one of these: addresses, without the package "drover", that begin so.
const first = {
  'Array.map': 'Drover/Array/index.html#val-map',
  'C stubs': 'Drover/index.html#val-blocking',
  DLS: 'Drover/Local',
  Lwt_preemptive: 'drover-lwt/',
  affinity: 'tutorial.html#pools cookbook.html#pin',
  'at most n': 'cookbook.html#at_most',
  benchmark: 'tutorial.html#is-it-faster',
  cache: 'cookbook.html#memo',
  cancel: 'Drover/Scope/index.html#val-cancel',
  'chunk size': 'loops.html#loops',
  container: 'tutorial.html#pools',
  'ctrl-c': 'structure.html#ctrl-c',
  cutoff: 'cookbook.html#divide',
  deterministic: 'tutorial.html#loops',
  docker: 'tutorial.html#pools',
  domainslib: 'domainslib.html',
  'early exit': 'Drover/index.html#val-parallel_find_any',
  eio: 'drover-eio/eio.html',
  exception: 'tutorial.html#exceptions',
  'flame graph': 'perf.html',
  for: 'Drover/index.html#val-parallel_for',
  gc: 'tutorial.html#when-it-is-slow',
  hang: 'structure.html#hangs',
  install: 'tutorial.html#installing',
  'is printf safe': 'cookbook.html#print safe.html',
  'iterate over a Hashtbl': 'cookbook.html#tables',
  js_of_ocaml: 'index.html#where',
  'large file': 'cookbook.html#log',
  'library safe': 'safe.html',
  'limit concurrency': 'cookbook.html#at_most',
  lwt: 'drover-lwt/lwt.html',
  map: 'Drover/List/index.html#val-map Drover/Array/index.html#val-map',
  memory: 'cookbook.html#memory',
  mutex: 'Drover/Mutex/index.html',
  nested: 'cookbook.html#work-on-a-matrix',
  'number of cores': 'tutorial.html#pools',
  openmp: 'newcomers.html',
  par_iter: 'newcomers.html',
  'parallel List.map': 'Drover/List/index.html#val-map',
  'parallel map': 'Drover/List/index.html#val-map Drover/Array/index.html#val-map',
  parmap: 'processes.html',
  pinning: 'cookbook.html#pin',
  'prefix sum': 'Drover/Array/index.html#scans',
  'print from tasks': 'cookbook.html#print',
  producer: 'objects.html#channels',
  progress: 'cookbook.html#show-progress',
  random: 'cookbook.html#random',
  'run commands': 'cookbook.html#commands',
  'same float sum': 'tutorial.html#loops cookbook.html#fill',
  'share hashtbl': 'cookbook.html#tables shared.html',
  slower: 'tutorial.html#when-it-is-slow',
  sort: 'Drover/List/index.html#val-sort Drover/Array/index.html#val-sort',
  'stop early': 'Drover/index.html#val-parallel_find_any',
  'thread safe': 'safe.html',
  timeout: 'Drover/Scope/index.html#val-with_timeout',
  trace: 'tools.html#when',
  tsan: 'structure.html#races',
  utop: 'cookbook.html#utop',
  windows: 'index.html#where',
  "worker's number": 'cookbook.html#worker',
}
// For these anything will do.
const queries = [
  'deadlock', 'garbage collector', 'grain', 'DROVER_DEBUG', 'DROVER_DOMAINS', 'cpu', 'threads', 'channel', 'backtrace',
  'data race', 'reduce', 'group by', 'hash table', 'queue', 'read a file', 'lines', 'blocking', 'sleep', 'mpi', 'speed-up',
  'stack overflow', 'minor heap', 'bigarray', 'memoise', 'xargs', 'parse xyzzy lines',
]
const nonsense = ['xyzzy', 'xyzzy plugh', ' ']

const addresses = query => find(query, places).map(f => f.address)
const is_right = query => {
  const found = addresses(query)[0] || 'nothing'
  return first[query].split(' ').some(a => found.startsWith(a) || found.startsWith('drover/' + a))
}
const failures = [
  ...queries.filter(q => !addresses(q).length).map(q => `nothing found for "${q}"`),
  ...Object.keys(first).filter(q => !is_right(q)).map(q => `"${q}" finds ${addresses(q)[0]} first`),
  ...nonsense.filter(q => addresses(q).length).map(q => `found for "${q}": ${addresses(q)}`),
]
failures.forEach(f => console.log(f))
console.log(`${queries.length + Object.keys(first).length} queries, ${failures.length} failures`)
process.exit(failures.length ? 1 : 0)
