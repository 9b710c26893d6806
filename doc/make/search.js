// The manual's search, in a field that each page gets; "build" puts find.js before it.

const root = new URL('..', document.currentScript.src)

// The index is as large as the manual: it comes when somebody begins to search.
function load_places() {
  if (document.querySelector('script.manual-places')) return
  const script = document.createElement('script')
  script.className = 'manual-places'
  script.src = new URL('odoc.support/places.js', root)
  script.onload = () => document.querySelector('.manual-search').dispatchEvent(new Event('input'))
  document.head.append(script)
}

function item({ address, name, text }) {
  const item = document.createElement('li'), link = document.createElement('a'), quote = document.createElement('p')
  link.href = new URL(address, root)
  link.textContent = name
  quote.textContent = text || ''
  item.append(link, quote)
  return item
}

function nothing(text) {
  const item = document.createElement('li')
  item.textContent = `Nothing found for “${text}”.`
  return item
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
  list.setAttribute('aria-live', 'polite')
  nav.append(field, list)
  field.addEventListener('focus', load_places)
  field.addEventListener('input', () => {
    const text = field.value.trim()
    if (!text || typeof places === 'undefined') return list.replaceChildren()
    const found = find(text, places)
    list.replaceChildren(...(found.length ? found.map(item) : [nothing(text)]))
  })
  field.addEventListener('keydown', e => {
    const first = list.querySelector('a')
    if (e.key === 'Enter' && first) first.click()
    if (e.key === 'Escape') { field.value = ''; list.replaceChildren() }
  })
  addEventListener('keydown', e => {
    if (e.key === '/' && document.activeElement !== field) { e.preventDefault(); field.focus() }
  })
})
