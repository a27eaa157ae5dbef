import { element } from '#server/mock/panel/parts/element.ts'
import { icon } from './icons.ts'

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
    /** Replaces title and content. */
    fill(text: string, ...children: (Node | string)[]) {
      heading.textContent = text
      body.replaceChildren(...children)
    },
  }
}
