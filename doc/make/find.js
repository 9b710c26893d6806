// What the manual's search finds. A place is an address from the root of the manual; a name, as "Drover.Array.map" or
// "Loops, in Tutorial"; and the paragraphs that belong to it.

// Where the manual has another word for what people look for.
const also = {
  cpu: 'processor', core: 'processor', docker: 'container', env: 'variable', gc: 'collection', leak: 'memory',
  memoise: 'drover.memo', memoize: 'drover.memo', monad: 'promise', kill: 'cancel', abort: 'cancel', event: 'signal',
}

// Each word, and what else may stand for it.
const words_of = text =>
  text.toLowerCase().split(/[\s.]+/).filter(w => w).map(w => w in also ? [w, also[w]] : [w])

// Where a word of the text begins like this one, or -1.
function position(text, word) {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (at === 0 || !/[a-z0-9]/.test(text[at - 1])) return at
  return -1
}

const has = (text, words) => words.every(ws => ws.some(w => position(text.toLowerCase(), w) >= 0))

function around(text, words) {
  const at = Math.max(...words.map(w => position(text.toLowerCase(), w)))
  const start = at < 60 ? 0 : text.indexOf(' ', at - 60) + 1
  const end = text.length < at + 100 ? text.length : text.lastIndexOf(' ', at + 100)
  return (start ? '… ' : '') + text.slice(start, end) + (end < text.length ? ' …' : '')
}

// Names that end as the word does come first, then those that begin like it, then short ones.
function rank_of_name(name, word) {
  const last = name.split('.').pop().toLowerCase()
  return (last === word ? 0 : last.startsWith(word) ? 1 : 2) * 1000 + name.length
}

// After names come paragraphs that have all words, and then places that have them somewhere.
function judge([address, name, texts], words) {
  if (words.every(([w]) => name.toLowerCase().includes(w)))
    return { address, name, rank: rank_of_name(name, words[words.length - 1][0]), text: texts.length ? around(texts[texts.length > 1 ? 1 : 0], words[0]) : '' }
  const paragraph = texts.find(t => has(t, words))
  if (paragraph) return { address, name, rank: 4000, text: around(paragraph, words[0]) }
  if (!has([name, ...texts].join(' '), words)) return null
  const some = texts.find(t => has(t, [words[0]]))
  return { address, name, rank: 5000, text: some && around(some, words[0]) }
}

function find(text, places, most = 20) {
  const words = words_of(text)
  if (!words.length) return []
  return places.map(p => judge(p, words)).filter(f => f).sort((a, b) => a.rank - b.rank).slice(0, most)
}
