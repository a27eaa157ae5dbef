import { element } from '#server/mock/panel/parts/element.ts'

const PATHS = {
  mail: 'M3 7a2 2 0 0 1 2-2h14a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2zm0 0 9 6 9-6',
  people: 'M5 7a4 4 0 1 0 8 0 4 4 0 1 0-8 0M3 21v-2a4 4 0 0 1 4-4h4a4 4 0 0 1 4 4v2m1-17.9a4 4 0 0 1 0 7.8M21 21v-2a4 4 0 0 0-3-3.9',
  share: 'M8 9H7a2 2 0 0 0-2 2v8a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2v-8a2 2 0 0 0-2-2h-1M12 14V3M9 6l3-3 3 3',
  reset: 'M20 11A8.1 8.1 0 0 0 4.5 9M4 5v4h4m-4 4a8.1 8.1 0 0 0 15.5 2m.5 4v-4h-4',
  up: 'm6 15 6-6 6 6',
  down: 'm6 9 6 6 6-6',
  close: 'M18 6 6 18M6 6l12 12',
  back: 'M5 12h14M5 12l6 6m-6-6 6-6',
} as const

export type Icon = keyof typeof PATHS
const SVG = 'http://www.w3.org/2000/svg'

/** A decorative icon; the button around it carries the label. */
export function icon(name: Icon) {
  const svg = document.createElementNS(SVG, 'svg')
  for (const [key, value] of Object.entries({ viewBox: '0 0 24 24', width: '20', height: '20', 'aria-hidden': 'true' }))
    svg.setAttribute(key, value)
  const path = document.createElementNS(SVG, 'path')
  path.setAttribute('d', PATHS[name])
  svg.append(path)
  return svg
}

type Opened = { title: string; close: string; isDrawer?: boolean }

/** Opens a native modal dialog, which traps focus and closes on Escape; it is removed once closed. */
export function openDialog(root: ShadowRoot, { title, close, isDrawer = false }: Opened) {
  const heading = element('h2', { id: 'title', tabindex: '-1' }, title)
  const body = element('div', { class: 'content' })
  const leave = element('button', { type: 'button', 'aria-label': close, onclick: () => dialog.close() }, icon('close'))
  const dialog = element('dialog', { 'aria-labelledby': 'title', class: isDrawer && 'drawer' }, element('header', {}, heading, leave), body)
  dialog.addEventListener('close', () => dialog.remove())
  dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close())
  root.append(dialog)
  dialog.showModal()
  return {
    dialog,
    fill(text: string, ...children: (Node | string)[]) {
      heading.textContent = text
      body.replaceChildren(...children)
    },
  }
}
