(* Page: a map of the tiles, to be dragged and zoomed. *)

let html =
  {|<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>Mandelbrot</title>
<style>
  html, body { margin: 0; height: 100%; overflow: hidden; background: #111; font: 14px sans-serif }
  #map { position: absolute; inset: 0; cursor: grab; touch-action: none }
  #map img { position: absolute; width: 256px; height: 256px; user-select: none }
  #say { position: absolute; left: 8px; bottom: 8px; padding: 4px 8px; color: #eee; background: #0008 }
</style>
<div id="map"></div>
<div id="say" role="status"></div>
<script>
  const size = 256, deepest = 40, map = document.getElementById("map"), say = document.getElementById("say")
  const shown = new Map()
  // The middle of the window, in [0, 1] x [0, 1], and the zoom: "#2/0.5/0.5" after the address.
  let [zoom, x, y] = (location.hash.slice(1).split("/").map(Number).concat([NaN, NaN, NaN])).slice(0, 3)
  if (![zoom, x, y].every(Number.isFinite)) [zoom, x, y] = [2, 0.5, 0.5]

  function draw() {
    const n = 2 ** zoom, left = Math.round(x * n * size - innerWidth / 2), top = Math.round(y * n * size - innerHeight / 2)
    const wanted = new Set()
    for (let i = Math.max(0, Math.floor(left / size)); i < n && i * size < left + innerWidth; i++)
      for (let j = Math.max(0, Math.floor(top / size)); j < n && j * size < top + innerHeight; j++) {
        const name = `/tile/${zoom}/${i}/${j}.png`
        wanted.add(name)
        if (!shown.has(name)) {
          const tile = new Image()
          tile.draggable = false
          tile.alt = ""
          tile.onload = tell
          tile.src = name
          map.append(tile)
          shown.set(name, tile)
        }
        shown.get(name).style.transform = `translate(${i * size - left}px, ${j * size - top}px)`
      }
    for (const [name, tile] of shown)
      if (!wanted.has(name)) { tile.src = ""; tile.remove(); shown.delete(name) }
    history.replaceState(null, "", `#${zoom}/${x}/${y}`)
    tell()
  }

  function tell() {
    const ready = [...shown.values()].filter(tile => tile.complete && tile.naturalWidth > 0).length
    say.textContent = `zoom ${zoom}: ${ready} of ${shown.size} tiles. Drag to move, turn the wheel to zoom.`
  }

  function zoomBy(step, clientX, clientY) {
    const next = Math.min(deepest, Math.max(0, zoom + step))
    const away = (from, at, length) => from + (at - length / 2) / size * (2 ** -zoom - 2 ** -next)
    ;[x, y, zoom] = [away(x, clientX, innerWidth), away(y, clientY, innerHeight), next]
    draw()
  }

  map.onpointerdown = event => map.setPointerCapture(event.pointerId)
  map.onpointermove = event => {
    if (!event.buttons) return
    x -= event.movementX / size / 2 ** zoom
    y -= event.movementY / size / 2 ** zoom
    draw()
  }
  let turned = 0
  onwheel = event => {
    turned += event.deltaY
    if (Math.abs(turned) < 50) return
    zoomBy(turned < 0 ? 1 : -1, event.clientX, event.clientY)
    turned = 0
  }
  onkeydown = event => {
    if (event.key === "+") zoomBy(1, innerWidth / 2, innerHeight / 2)
    if (event.key === "-") zoomBy(-1, innerWidth / 2, innerHeight / 2)
  }
  onresize = draw
  draw()
</script>
</html>
|}
