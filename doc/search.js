// The manual's search: tools/manual puts it behind the index, and calls it from every page. A place is a name, as
// "Drover.Array.map" or "Loops, in Tutorial", and its address from the root.

const root = new URL('..', document.currentScript.src)

// Names that end as the word does come first, then those that begin like it, then short ones.
function rank(name, words) {
  const last = name.split('.').pop().toLowerCase(), word = words[words.length - 1]
  return (last === word ? 0 : last.startsWith(word) ? 1 : 2) * 1000 + name.length
}

function find(text) {
  const words = text.toLowerCase().split(/[\s.]+/).filter(w => w)
  if (!words.length) return []
  const fits = ([name]) => words.every(w => name.toLowerCase().includes(w))
  return places.filter(fits).sort((a, b) => rank(a[0], words) - rank(b[0], words)).slice(0, 12)
}

addEventListener('DOMContentLoaded', () => {
  const nav = document.querySelector('nav.odoc-nav')
  if (!nav) return
  const field = document.createElement('input'), list = document.createElement('ul')
  field.type = 'search'
  field.placeholder = 'Search (press /)'
  field.setAttribute('aria-label', 'search the manual')
  field.className = 'manual-search'
  list.className = 'manual-found'
  nav.append(field, list)
  field.addEventListener('input', () => {
    list.replaceChildren(...find(field.value).map(([name, address]) => {
      const item = document.createElement('li'), link = document.createElement('a')
      link.href = new URL(address, root)
      link.innerHTML = name // it may have entities
      item.append(link)
      return item
    }))
  })
  field.addEventListener('keydown', e => {
    if (e.key === 'Enter' && list.firstChild) list.firstChild.firstChild.click()
    if (e.key === 'Escape') { field.value = ''; list.replaceChildren() }
  })
  addEventListener('keydown', e => {
    if (e.key === '/' && document.activeElement !== field) { e.preventDefault(); field.focus() }
  })
})
