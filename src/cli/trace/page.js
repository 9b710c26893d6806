// D is the recording: tracks, names, slices as one array of numbers, five for each (ring, kind, name, start, duration),
// by their starts, marks, and the times in which workers waited for processors. Times are in nanoseconds.

const canvas = document.querySelector('canvas'), g = canvas.getContext('2d')
const about = document.querySelector('#about'), wanted = document.querySelector('#wanted')
const [TASK, NAME, GC, PARK, STAND_BY, UNKNOWN] = [0, 1, 2, 3, 4, 5]
const kinds = ['task', 'name', 'gc', 'park', 'standby', 'unknown']
const N = D.slices.length / 5, end = D.length
const top_ = 22
let lane = 46 // high; lanes fill the window
const row = new Map(D.tracks.map((t, i) => [t.ring, i])), colour = {}
let from = 0, to = end, width = 0
let selected = null // [from, to], in time
let found = new Set(), at_found = -1 // the names that are searched for; the slice that was last shown

const slice = i => ({ row: row.get(D.slices[5 * i]), kind: D.slices[5 * i + 1], name: D.slices[5 * i + 2],
  start: D.slices[5 * i + 3], end: D.slices[5 * i + 3] + D.slices[5 * i + 4] })

// Times

const units = [[1e9, ' s'], [1e6, ' ms'], [1e3, ' us'], [1, ' ns']]
const unit_of = t => units.find(([size]) => t >= size) || units[3]

function ns(t) {
  const [size, name] = unit_of(t)
  return (size === 1 ? t.toFixed(0) : (t / size).toPrecision(3)) + name
}

// With as many digits as tell two ticks apart.
function tick(t, step) {
  const [size, name] = unit_of(Math.max(t, step))
  return (t / size).toFixed(Math.max(0, Math.ceil(Math.log10(size / step) - 1e-9))) + name
}

const x = t => (t - from) / (to - from) * width
const time = px => from + px / width * (to - from)

// Drawing

// Where a kind lies, from the top of a lane, and how high it is.
function place(kind) {
  const inner = lane - 20
  if (kind === NAME) return [14 + inner / 4, inner / 2]
  return [14, kind === GC ? inner / 3.25 : inner]
}

function fit() {
  const css = getComputedStyle(document.documentElement), ratio = devicePixelRatio || 1
  for (const k of ['fg', 'soft', 'line', 'mark', 'found', ...kinds]) colour[k] = css.getPropertyValue('--' + k)
  width = canvas.clientWidth
  const room = innerHeight - canvas.getBoundingClientRect().top - scrollY - top_ - 24
  lane = Math.max(46, Math.min(320, Math.floor(room / Math.max(1, D.tracks.length))))
  const height = top_ + lane * D.tracks.length + 6
  canvas.style.height = height + 'px'
  canvas.width = width * ratio
  canvas.height = height * ratio
  g.setTransform(ratio, 0, 0, ratio, 0, 0)
  draw()
}

function axis() {
  let step = 10 ** Math.floor(Math.log10((to - from) / 4))
  while ((to - from) / step > (width < 500 ? 3 : 8)) step *= 2
  g.fillStyle = colour.soft
  g.strokeStyle = colour.line
  g.font = '11px system-ui'
  for (let t = Math.ceil(from / step) * step; t <= to; t += step) {
    g.fillText(tick(t, step), x(t) + 3, 12)
    g.beginPath()
    g.moveTo(x(t), 0)
    g.lineTo(x(t), canvas.height)
    g.stroke()
  }
}

function words(s, a, b, y) {
  g.save()
  g.beginPath()
  g.rect(a, 0, b - a - 2, 9e3)
  g.clip()
  g.fillStyle = colour.fg
  g.fillText(D.names[s.name].replace(/^task: /, ''), a + 3, top_ + lane * s.row + y)
  g.restore()
}

// Those of a task lie below the names within it, where there is room.
function label(s, a, b) {
  const inner = lane - 20
  if (s.kind === NAME && b - a > 40) words(s, a, b, 18 + inner / 2)
  if (s.kind === TASK && b - a > 60 && inner > 60 && D.names[s.name] !== 'task') words(s, a, b, 8 + inner)
}

// What is narrower than a pixel is drawn once a pixel.
function draw_kind(kind) {
  const last = D.tracks.map(() => -1), [dy, height] = place(kind)
  for (let i = 0; i < N; i++) {
    if (D.slices[5 * i + 1] !== kind) continue
    const s = slice(i)
    if (s.end < from || s.start > to) continue
    const a = Math.max(0, x(s.start)), b = Math.min(width, x(s.end)), is_found = found.has(s.name)
    if (b <= last[s.row] && !is_found) continue
    last[s.row] = Math.floor(Math.max(b, a + 1))
    g.fillStyle = colour[kinds[kind]]
    g.fillRect(a, top_ + lane * s.row + dy, Math.max(1, b - a - .5), height)
    if (is_found) {
      g.strokeStyle = colour.found
      g.lineWidth = 2
      g.strokeRect(a, top_ + lane * s.row + dy, Math.max(2, b - a), height)
      g.lineWidth = 1
    }
    label(s, a, b)
  }
}

function draw() {
  g.clearRect(0, 0, width, canvas.height)
  axis()
  for (const kind of [UNKNOWN, PARK, STAND_BY, TASK, NAME, GC]) draw_kind(kind)
  g.fillStyle = colour.mark
  for (const [ring, , at] of D.marks)
    if (at >= from && at <= to) g.fillRect(x(at) - .5, top_ + lane * row.get(ring) + lane - 6, 1.5, 5)
  g.fillStyle = colour.fg
  D.tracks.forEach((t, i) => g.fillText(t.title, 3, top_ + lane * i + 11))
  if (selected) {
    g.globalAlpha = .2
    g.fillRect(x(selected[0]), 0, x(selected[1]) - x(selected[0]), canvas.height)
    g.globalAlpha = 1
  }
}

// Moving

function show(a, b) {
  const span = Math.min(end, Math.max(100, b - a))
  from = Math.max(0, Math.min(end - span, a))
  to = from + span
  draw()
}

function zoom(px, factor) {
  const t = time(px), span = Math.min(end, Math.max(100, (to - from) * factor))
  show(t - px / width * span, t + (1 - px / width) * span)
}

const pan = px => show(from - px / width * (to - from), to - px / width * (to - from))

// Telling

const before_name = ['', '', 'collecting: ', 'asleep, as there is no work: ', 'stands by, as other programs have the processors: ']

// Why a domain does nothing that has a slice.
const idle = track => track.worker ? 'no task: it looks for work, or waits for a processor' : 'nothing of Drover\'s'

// How long the workers, together, waited for processors that other programs had. It is known for stretches of time only.
function unserved(a, b) {
  let sum = 0
  for (const [since, at, time] of D.unserved)
    sum += time * Math.max(0, Math.min(b, at) - Math.max(a, since)) / Math.max(1, at - since)
  return sum
}

function tell_unserved(t) {
  const [since, at, time] = D.unserved.find(([since, at]) => since <= t && t <= at) || [0, 0, 0]
  return time ? `; in these ${ns(at - since)} the workers waited ${ns(time)} for processors` : ''
}

function tell(px, py) {
  const r = Math.floor((py - top_) / lane), t = time(px), slack = (to - from) / width * 2, here = []
  if (!D.tracks[r]) return
  for (let i = 0; i < N; i++) {
    const s = slice(i)
    if (s.row === r && s.start - slack <= t && t <= s.end + slack)
      here.push(before_name[s.kind] + (s.kind >= PARK ? '' : D.names[s.name] + ' ') + ns(s.end - s.start))
  }
  if (!here.length) here.push(idle(D.tracks[r]))
  for (const [ring, what, at] of D.marks) if (row.get(ring) === r && Math.abs(at - t) <= slack) here.push(what)
  about.textContent = tick(t, (to - from) / 1000) + ': ' + here.slice(0, 6).join(', ') + tell_unserved(t)
}

// How long any of these kinds was there, on all tracks, between two times; one slice may lie in another.
function total(some, a, b) {
  const until = D.tracks.map(() => a)
  let sum = 0
  for (let i = 0; i < N; i++) {
    const s = slice(i)
    if (!some.includes(s.kind)) continue
    const e = Math.min(b, s.end)
    sum += Math.max(0, e - Math.max(s.start, until[s.row]))
    until[s.row] = Math.max(until[s.row], e)
  }
  return sum
}

function named(a, b) {
  const sums = new Map()
  for (let i = 0; i < N; i++) {
    const s = slice(i), part = Math.min(b, s.end) - Math.max(a, s.start)
    if (s.kind !== NAME || part <= 0) continue
    const [n, time] = sums.get(s.name) || [0, 0]
    sums.set(s.name, [n + 1, time + part])
  }
  const largest = [...sums].sort((p, q) => q[1][1] - p[1][1]).slice(0, 5)
  return largest.map(([name, [n, time]]) => `, ${D.names[name]} ${ns(time)} in ${n}`).join('')
}

function tell_total([a, b]) {
  const all = (b - a) * D.tracks.length || 1, share = t => (100 * t / all).toFixed(1) + '%'
  about.textContent = `${ns(b - a)} from ${tick(a, (b - a) / 100)}, of ${D.tracks.length} domains: ` +
    `in tasks ${share(total([TASK], a, b))}, asleep ${share(total([PARK], a, b))}, ` +
    `standing by ${share(total([STAND_BY], a, b))}, ` +
    (total([UNKNOWN], a, b) ? `not known ${share(total([UNKNOWN], a, b))}, ` : '') +
    `none of these ${share(all - total([TASK, PARK, STAND_BY, UNKNOWN], a, b))}; collecting, within these, ${share(total([GC], a, b))}` +
    `; waiting for processors, within these, about ${share(unserved(a, b))}` + named(a, b)
}

// Above all: how long, how much of it in tasks, and what else took time.
function summarise() {
  const workers = D.tracks.filter(t => t.worker).length || D.tracks.length
  const busy = total([TASK], 0, end) / end, unknown = total([UNKNOWN], 0, end) / end, known = workers - unknown
  const minor = D.names.indexOf('minor'), collections = D.tracks.map(() => 0)
  for (let i = 0; i < N; i++) if (D.slices[5 * i + 1] === GC && D.slices[5 * i + 2] === minor) collections[slice(i).row]++
  const share = t => (100 * t / (end * D.tracks.length || 1)).toFixed(1) + '%'
  const facts = [
    [ns(end), 'in all'],
    known > .01
      ? [`${busy.toFixed(2)} of ${workers}`, `workers in tasks (${(100 * busy / known).toFixed(0)}%)`]
      : ['not known', 'how many workers were in tasks'],
    [share(total([GC], 0, end)), `collecting, ${Math.max(0, ...collections)} minor collections`],
  ]
  const waited = unserved(0, end)
  if (waited) facts.push([ns(waited), 'of waiting for processors'])
  const stood_by = total([STAND_BY], 0, end)
  if (stood_by) facts.push([ns(stood_by), 'of standing by'])
  if (unknown) facts.push([share(unknown * end), 'not known: from before the first events of these workers'])
  for (const [value, what] of facts) {
    const fact = document.createElement('span'), number = document.createElement('b')
    number.textContent = value
    fact.append(number, ' ' + what)
    document.querySelector('#summary').append(fact, ' ')
  }
}

// Searching

// A task that is called by a name is found by that name, unless one asks for tasks; or else by where it was started.
function search() {
  const text = wanted.value.trim().toLowerCase(), names = D.names.map(name => name.toLowerCase())
  const called = name => name.startsWith('task: ') && name.slice(6).split(', started at ')[0]
  const is_by_name = name => called(name) && called(name).includes(text) && names.includes(called(name))
  const fits = name => name.includes(text) && (text.startsWith('task') || !is_by_name(name))
  found = new Set(names.flatMap((name, i) => text && fits(name) ? [i] : []))
  at_found = -1
  let n = 0, sum = 0
  for (let i = 0; i < N; i++) if (found.has(D.slices[5 * i + 2])) { n++; sum += D.slices[5 * i + 4] }
  about.textContent = text ? `${n} found, ${ns(sum)} in all; Enter goes to the next` : ''
  draw()
}

function next_found() {
  for (let k = 1; k <= N; k++) {
    const i = (at_found + k) % N
    if (!found.has(D.slices[5 * i + 2])) continue
    at_found = i
    const s = slice(i), around = Math.max(100, (s.end - s.start) * 2)
    show(s.start - around, s.end + around)
    about.textContent = `${tick(s.start, (to - from) / 1000)}: ${D.names[s.name]} ${ns(s.end - s.start)}, ${D.tracks[s.row].title}`
    return
  }
}

// Hands

const fingers = new Map()
let moved = 0, selects_from = null

canvas.addEventListener('wheel', e => {
  e.preventDefault()
  e.shiftKey ? pan(-e.deltaY) : zoom(e.offsetX, Math.exp(e.deltaY / 400))
}, { passive: false })

canvas.addEventListener('pointerdown', e => {
  canvas.setPointerCapture(e.pointerId)
  fingers.set(e.pointerId, e.offsetX)
  moved = 0
  selects_from = e.shiftKey ? time(e.offsetX) : null
})

canvas.addEventListener('pointermove', e => {
  if (!fingers.has(e.pointerId)) return selected || tell(e.offsetX, e.offsetY)
  const before = [...fingers.values()]
  moved += Math.abs(e.offsetX - fingers.get(e.pointerId))
  fingers.set(e.pointerId, e.offsetX)
  const now = [...fingers.values()], apart = p => Math.max(8, Math.abs(p[0] - p[1]))
  if (selects_from !== null) {
    selected = [selects_from, time(e.offsetX)].sort((a, b) => a - b)
    draw()
    tell_total(selected)
  }
  else if (now.length === 1) pan(now[0] - before[0])
  else zoom((now[0] + now[1]) / 2, apart(before) / apart(now))
})

canvas.addEventListener('pointerup', e => {
  fingers.delete(e.pointerId)
  if (moved >= 4) return
  selected = null
  draw()
  tell(e.offsetX, e.offsetY)
})

canvas.addEventListener('pointercancel', e => fingers.delete(e.pointerId))

const keys = {
  w: () => zoom(width / 2, .7), s: () => zoom(width / 2, 1 / .7), a: () => pan(width / 5), d: () => pan(-width / 5),
  t: () => tell_total([from, to]), Escape: () => { selected = null; show(0, end) },
}
Object.assign(keys, { ArrowUp: keys.w, ArrowDown: keys.s, ArrowLeft: keys.a, ArrowRight: keys.d })

canvas.addEventListener('keydown', e => {
  if (!keys[e.key] || e.ctrlKey || e.metaKey) return
  e.preventDefault()
  keys[e.key]()
})

wanted.addEventListener('input', search)
wanted.addEventListener('keydown', e => { if (e.key === 'Enter') next_found() })
document.querySelector('#closer').onclick = () => zoom(width / 2, .5)
document.querySelector('#all').onclick = () => show(0, end)
document.querySelector('#total').onclick = () => tell_total(selected || [from, to])
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', fit)
addEventListener('resize', fit)
summarise()
fit()
