// The functions of a module in the contents at its side, each below its section.

addEventListener('DOMContentLoaded', () => {
  const specified = '.odoc-content .spec.value[id]'
  const tocs = document.querySelector('.odoc-tocs')
  if (!tocs || !document.querySelector(specified)) return
  let contents = tocs.querySelector('.odoc-local-toc')
  if (!contents) {
    contents = document.createElement('nav')
    contents.className = 'odoc-toc odoc-local-toc'
    tocs.prepend(contents)
  }
  let list
  const begin_list = after => {
    list = document.createElement('ul')
    list.className = 'manual-values'
    after ? after.after(list) : contents.prepend(list)
  }
  for (const e of document.querySelectorAll(`.odoc-content :is(h2, h3, h4)[id], ${specified}`)) {
    const section = contents.querySelector(`a[href="#${e.id}"]`)
    if (section) { list = null; begin_list(section); continue }
    if (!list) begin_list()
    const item = document.createElement('li'), link = document.createElement('a')
    link.href = '#' + e.id
    link.textContent = e.id.replace('val-', '')
    item.append(link)
    list.append(item)
  }
})
