// What "tools/pages" asks of a page that has been loaded into a frame; see there.

// Colours are [red, green, blue, opacity].
function colour(css) {
  const n = (css.match(/[\d.]+/g) || [0, 0, 0, 0]).map(Number)
  return [n[0], n[1], n[2], n.length > 3 ? n[3] : 1]
}

const over = (top, under) => [0, 1, 2].map(i => top[i] * top[3] + under[i] * (1 - top[3])).concat(1)

function luminance(c) {
  const part = v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4
  return 0.2126 * part(c[0]) + 0.7152 * part(c[1]) + 0.0722 * part(c[2])
}

// As the Web Content Accessibility Guidelines define it.
function contrast(a, b) {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return (high + 0.05) / (low + 0.05)
}

function ancestors(e) {
  const all = []
  for (; e && e.nodeType === 1; e = e.parentNode) all.push(e)
  return all
}

const faded = (c, opacity) => c.slice(0, 3).concat(c[3] * opacity)

// What lies below the text of an element: the grounds of its ancestors, and in a picture the shapes before it.
function ground(e, css) {
  const grounds = ancestors(e).reverse().map(a => colour(css(a).backgroundColor))
  const svg = e.ownerSVGElement
  if (svg) {
    const box = e.getBoundingClientRect(), x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2
    for (const s of svg.querySelectorAll('rect, circle, polygon')) {
      const r = s.getBoundingClientRect()
      const earlier = s.compareDocumentPosition(e) & Node.DOCUMENT_POSITION_FOLLOWING
      if (earlier && r.left <= x && x <= r.right && r.top <= y && y <= r.bottom && css(s).fill !== 'none')
        grounds.push(faded(colour(css(s).fill), css(s).opacity * css(s).fillOpacity))
    }
  }
  return grounds.reduce((under, top) => over(top, under), [255, 255, 255, 1])
}

function texts(doc) {
  const walker = doc.createTreeWalker(doc.body, NodeFilter.SHOW_TEXT), found = new Map()
  while (walker.nextNode()) {
    const text = walker.currentNode.data.trim(), e = walker.currentNode.parentElement
    if (text && !e.closest('script, style, title, desc') && e.getClientRects().length) found.set(e, text)
  }
  return found
}

function pale(doc, css) {
  const complaints = new Set()
  for (const [e, text] of texts(doc)) {
    const opacity = ancestors(e).reduce((o, a) => o * css(a).opacity, 1), under = ground(e, css)
    const ink = colour(e.ownerSVGElement ? css(e).fill : css(e).color)
    const ratio = contrast(over(faded(ink, opacity), under), under)
    if (ratio < 4.5) complaints.add(`contrast ${ratio.toFixed(1)}: <${e.localName}> "${text.slice(0, 30)}"`)
  }
  return [...complaints]
}

function wide(doc, width) {
  if (doc.documentElement.scrollWidth <= width) return []
  const sticks_out = e => e.getBoundingClientRect().right > width
  const guilty = [...doc.body.querySelectorAll('*')].find(e => sticks_out(e) && ![...e.children].some(sticks_out)) || doc.body
  return [`${doc.documentElement.scrollWidth - width} pixels too wide: <${guilty.localName}> "${guilty.textContent.trim().slice(0, 30)}"`]
}

// Where there is room, code is not scrolled.
function sideways(doc, width) {
  const scrolled = e => width > 1000 && e.scrollWidth > e.clientWidth + 1
  return [...doc.querySelectorAll('pre, pre code')].filter(scrolled).map(e => `scrolled sideways: <${e.localName}> "${e.textContent.slice(0, 30)}"`)
}

function clipped(doc) {
  const sticks_out = t => {
    const a = t.getBoundingClientRect(), b = t.ownerSVGElement.getBoundingClientRect()
    return a.right > b.right + 1 || a.left < b.left - 1 || a.bottom > b.bottom + 1
  }
  return [...doc.querySelectorAll('svg text')].filter(sticks_out).map(t => `cut off: <text> "${t.textContent.slice(0, 30)}"`)
}

function undescribed(doc) {
  const says = e => e.getAttribute('alt') || e.getAttribute('aria-label') || e.querySelector('title')
  const pictures = [...doc.querySelectorAll('img, svg, canvas')].filter(e => !e.closest('[aria-hidden=true]'))
  return pictures.filter(e => !says(e)).map(e => `a picture without a description: <${e.localName}>`)
}

function requests(frame) {
  const loads = '[src], link[href], object[data]'
  const named = [...frame.contentDocument.querySelectorAll(loads)].map(e => e.src || e.href || e.data)
  const made = frame.contentWindow.performance.getEntriesByType('resource').map(e => e.name)
  return [...new Set([...named, ...made])].filter(u => /^(https?|wss?):/.test(u)).map(u => 'asks the network for ' + u)
}

function complaints(frame, scheme) {
  const doc = frame.contentDocument, view = frame.contentWindow, css = e => view.getComputedStyle(e)
  const is_dark = view.matchMedia('(prefers-color-scheme: dark)').matches
  if (is_dark !== (scheme === 'dark')) return ['this browser does not show it ' + scheme]
  const width = doc.documentElement.clientWidth
  return [...wide(doc, width), ...sideways(doc, width), ...pale(doc, css), ...clipped(doc), ...undescribed(doc), ...requests(frame)]
}

function look(page, width, scheme) {
  return new Promise(done => {
    const frame = document.createElement('iframe')
    frame.style = `width: ${width}px; height: 900px; border: 0; color-scheme: ${scheme}`
    frame.onload = async () => {
      await new Promise(go => setTimeout(go, 50)) // until then a frame may not know its scheme
      const found = complaints(frame, scheme)
      frame.remove()
      done(found)
    }
    frame.src = page
    document.body.append(frame)
  })
}

// A line for each complaint, and last how many looks there were.
async function look_at_all(pages) {
  const lines = []
  let looks = 0
  for (const page of pages)
    for (const width of [1400, 900, 390])
      for (const scheme of ['light', 'dark']) {
        looks++
        for (const c of await look(page, width, scheme)) lines.push(`${page} at ${width}, ${scheme}: ${c}`)
      }
  return [...lines, `looked ${looks} times, at ${pages.length} pages`]
}
