import { element } from './element.ts'
import type { TabAction, TabContext } from './tab.ts'

type Part = Node | string
export type Field = { shown: HTMLElement; read(): string }
type Attributes = Record<string, string | boolean>

export const group = (title: string, ...parts: Part[]) => element('section', {}, element('h3', {}, title), ...parts)

export const note = (...parts: Part[]) => element('p', { class: 'note' }, ...parts)

export const link = (href: string, text: string, attributes: Attributes = {}) => element('a', { href, ...attributes }, text)

export const button = (context: TabContext, label: Part, work: TabAction, attributes: Attributes = {}) =>
  element('button', { type: 'button', onclick: () => void context.run(work), ...attributes }, label)

export const line = (...parts: Part[]) => element('div', { class: 'line' }, ...parts)

export const rows = (items: Part[][], none: string) =>
  items.length > 0 ? element('ul', {}, ...items.map((parts) => element('li', {}, ...parts))) : note(none)

export const badge = (text: string, kind: string) => element('span', { class: `badge ${kind}` }, text)

export function text(label: string, attributes: Attributes = {}): Field {
  const input = element('input', { autocomplete: 'off', ...attributes })
  return { shown: element('label', {}, label, input), read: () => input.value.trim() }
}

export function multiline(label: string, attributes: Attributes = {}): Field {
  const area = element('textarea', { rows: '3', spellcheck: 'false', ...attributes })
  return { shown: element('label', { class: 'wide' }, label, area), read: () => area.value.trim() }
}

/** Offers `values` while text is typed into a field. */
export function suggest(field: Field, id: string, values: readonly string[]) {
  field.shown.querySelector('input')!.setAttribute('list', id)
  field.shown.append(element('datalist', { id }, ...values.map((value) => element('option', { value }))))
}

export function choice(label: string, options: readonly (readonly [value: string, text: string])[], chosen = options[0]?.[0]): Field {
  const made = options.map(([value, words]) => element('option', { value, selected: value === chosen }, words))
  const select = element('select', {}, ...made)
  return { shown: element('label', {}, label, select), read: () => select.value }
}

/** Options whose values are also their labels. */
export const optionsOf = (values: readonly string[]) => values.map((value) => [value, value.replaceAll('_', ' ')] as const)

export function checkbox(label: string, isTicked = false): { shown: HTMLElement; read(): boolean } {
  const input = element('input', { type: 'checkbox', checked: isTicked })
  return { shown: element('label', { class: 'tick' }, input, label), read: () => input.checked }
}

export const form = (context: TabContext, submit: string, fields: { shown: HTMLElement }[], work: TabAction) =>
  element(
    'form',
    {
      class: 'line',
      onsubmit: (event) => {
        event.preventDefault()
        void context.run(work)
      },
    },
    ...fields.map(({ shown }) => shown),
    element('button', { class: 'main' }, submit),
  )

/** A row that expands; its content is created when it is opened. */
export function expandableRow(context: TabContext, head: Part[], inside: () => Promise<Node>) {
  const header = element(
    'button',
    { class: 'row', type: 'button', 'aria-expanded': 'false', onclick: () => void context.run(toggle) },
    ...head,
  )
  let shown: Node | undefined
  async function toggle() {
    const isOpen = header.getAttribute('aria-expanded') === 'true'
    header.setAttribute('aria-expanded', String(!isOpen))
    if (isOpen) return void shown?.parentNode?.removeChild(shown)
    shown = element('div', { class: 'inside' }, await inside())
    header.after(shown)
  }
  return header
}
