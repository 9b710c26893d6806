// What the manual's search finds. A place is an address from the root of the manual; a name, as "Drover.Array.map" or
// "Loops, in Tutorial"; and the paragraphs that belong to it.

// Where the manual has another word for what people look for.
const also = {
  abort: 'cancel', bench: 'faster', benchmark: 'faster', break: 'find_any', cache: 'memoise', core: 'processor',
  'c stubs': 'blocking', cpu: 'processor', deterministic: 'at each run', dls: 'drover.local', docker: 'container',
  'early exit': 'find_any', env: 'variable', 'exit early': 'find_any', gc: 'collection', kill: 'cancel', leak: 'memory',
  memoise: 'drover.memo', memoize: 'drover.memo', monad: 'promise', event: 'signal',
  'number of cores': 'number of processors', 'prefix sum': 'scans', producer: 'channels', slower: 'slow',
  'stop early': 'find_any', stub: 'blocking', 'thread local': 'drover.local', 'thread safe': 'safe in a task',
  'library safe': 'safe in a task', xargs: 'run commands',
}

// What tells nothing where there are other words.
const filler = new Set('a an and by do how i in is it my of on or over parallel the to with'.split(' '))

// Each word, and what else may stand for it. Two words may be one.
function words_of(text) {
  let rest = text.toLowerCase().replace(/['’]s\b/g, '')
  const words = Object.keys(also).filter(key => key.includes(' ') && rest.includes(key))
  for (const phrase of words) rest = rest.replace(phrase, ' ')
  const single = rest.split(/[\s.,?]+/).filter(w => w)
  const telling = single.filter(w => !filler.has(w))
  words.push(...(telling.length || words.length ? telling : single))
  return words.map(w => w in also ? [w, also[w]] : [w])
}

// Where a word of the text begins like this one, or -1.
function position(text, word) {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (at === 0 || !/[a-z0-9]/.test(text[at - 1])) return at
  return -1
}

const has_one = (text, alternatives) => alternatives.some(w => position(text.toLowerCase(), w) >= 0)
const has = (text, words) => words.every(ws => has_one(text, ws))

function around(text, words) {
  const at = Math.max(...words.map(w => position(text.toLowerCase(), w)))
  const start = at < 60 ? 0 : text.indexOf(' ', at - 60) + 1
  const end = text.length < at + 100 ? text.length : text.lastIndexOf(' ', at + 100)
  return (start ? '… ' : '') + text.slice(start, end) + (end < text.length ? ' …' : '')
}

// The modules that programs use most, the other ones of the core, and what bridges to other libraries.
const is_module = address => /\/[A-Z]/.test(address)
const most_used = address => /^drover\/Drover\/((Array|List|Scope|Promise|Chan)\/)?index/.test(address)
const core = address => address.startsWith('drover/Drover/')
const lasting = address => !/^drover\/(design|figures|messages|simulated)/.test(address)

// Names that are the word, but for a "parallel_", come first, then those where it begins or ends a word, then those of the
// most used modules, then short ones. Exceptions, and pages that one reads seldom, come later, and names of other libraries
// after all of the core.
function rank_of_name(address, name, alternatives) {
  const last = name.split('.').pop().toLowerCase().replace(/^parallel_/, '')
  const begins = w => last.startsWith(w) || last.endsWith('_' + w)
  const order = alternatives.includes(last) ? 0 : alternatives.some(begins) ? 1 : 2
  const later = address.includes('#exception-') || !lasting(address) ? 1100 : 0
  const foreign = is_module(address) && !core(address) ? 2500 : 0
  return order * 1000 + later + foreign + (most_used(address) ? 0 : 200) + Math.min(name.length, 199)
}

// Pages that explain come before the reference.
const rank_of_text = address => is_module(address) ? core(address) ? 1 : 2 : lasting(address) ? 0 : 1

// After names come paragraphs that have all words, and then places that have them somewhere.
function judge([address, name, texts], words) {
  if (words.every(ws => ws.some(w => name.toLowerCase().includes(w))))
    return { address, name, rank: rank_of_name(address, name, words[words.length - 1]), text: texts.length ? around(texts[texts.length > 1 ? 1 : 0], words[0]) : '' }
  const paragraph = texts.find(t => has(t, words))
  if (paragraph) return { address, name, rank: 6000 + rank_of_text(address), text: around(paragraph, words[0]) }
  if (!has([name, ...texts].join(' '), words)) return null
  const some = texts.find(t => has(t, [words[0]]))
  return { address, name, rank: 7000 + rank_of_text(address), text: some && around(some, words[0]) }
}

// Where no place has all words: those that have most of them.
function judge_any([address, name, texts], words) {
  const all = [name, ...texts].join(' ')
  const there = words.filter(ws => has_one(all, ws))
  if (!there.length) return null
  const some = texts.find(t => has(t, [there[0]]))
  return { address, name, rank: 10 * (words.length - there.length) + rank_of_text(address), text: some && around(some, there[0]) }
}

function find(text, places, most = 20) {
  const words = words_of(text)
  if (!words.length) return []
  const best = judge => places.map(p => judge(p, words)).filter(f => f).sort((a, b) => a.rank - b.rank).slice(0, most)
  const found = best(judge)
  return found.length || words.length === 1 ? found : best(judge_any)
}
