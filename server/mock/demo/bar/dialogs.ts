import { element } from '#server/mock/panel/parts/element.ts'
import { type Mail, personaUrl, server, type Words, type World } from './server.ts'

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

type DialogContext = { root: ShadowRoot; words: Words; world: World; language: string; fail(): void }

export function openPeople({ root, words, world, fail }: DialogContext) {
  const { fill } = openDialog(root, { title: words.bar.people, close: words.bar.close })
  const rows = world.personas.map(({ key, name, email }) => {
    const isMe = key === world.persona
    const link = element(
      'a',
      { class: 'row', href: personaUrl(world, key), 'aria-current': isMe && 'true' },
      element('strong', {}, name),
      element('span', {}, email),
    )
    if (isMe) link.append(element('span', {}, words.bar.you))
    return element('li', {}, link)
  })
  const openConsole = async (member: string) => {
    await server.signInStaff(member)
    location.assign('/operator')
  }
  const staff = world.staff.map(({ key, name, email }) =>
    element(
      'li',
      {},
      element(
        'button',
        { class: 'row', type: 'button', onclick: () => openConsole(key).catch(fail) },
        element('strong', {}, name),
        element('span', {}, email),
      ),
    ),
  )
  fill(words.bar.people, element('ul', {}, ...rows), element('h3', {}, words.bar.console), element('ul', {}, ...staff))
}

export function openReset({ root, words, world, fail }: DialogContext) {
  const { dialog, fill } = openDialog(root, { title: words.bar.resetTitle, close: words.bar.close })
  const reset = async () => {
    await server.reset()
    location.assign(personaUrl(world, world.persona ?? world.personas[0]!.key))
  }
  const cancel = element('button', { type: 'button', onclick: () => dialog.close() }, words.bar.cancel)
  const yes = element('button', { class: 'main', type: 'button', onclick: () => reset().catch(fail) }, words.bar.resetYes)
  fill(words.bar.resetTitle, element('p', {}, words.bar.resetText), element('div', { class: 'actions' }, cancel, yes))
  cancel.focus()
}

/** Opens a link to a copy of the world in its current state, for the same persona and page. */
export async function openShare({ root, words, world, language }: DialogContext) {
  const { url, expires_at } = await server.share()
  const link = new URL(url)
  if (world.persona) link.searchParams.set('as', world.persona)
  link.searchParams.set('to', location.pathname + location.search)
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'long' }).format(new Date(expires_at))
  const { fill } = openDialog(root, { title: words.bar.share, close: words.bar.close })
  const field = element('input', { readonly: true, value: link.href, onfocus: () => field.select() })
  const copy = element('button', { class: 'main', type: 'button', onclick: () => void copyLink() }, words.bar.copy)
  const status = element('p', { role: 'status' })
  async function copyLink() {
    field.select()
    await navigator.clipboard.writeText(link.href)
    status.textContent = words.bar.copied
  }
  const text = words.bar.shareText.replace('{{date}}', date)
  fill(
    words.bar.share,
    element('p', {}, text),
    element('label', {}, words.bar.shareLink, field),
    element('div', { class: 'actions' }, status, copy),
  )
  copy.focus()
}

type Drawer = ReturnType<typeof openDialog>
type View = { words: Words; language: string; mails: Mail[] }

/** Opens the mails of the visitor's world: the list, then the selected one. Links in a mail open in this tab. */
export async function openMails(root: ShadowRoot, words: Words, language: string) {
  const mails = await server.mails()
  const drawer = openDialog(root, { title: words.bar.mail, close: words.bar.close, isDrawer: true })
  showList(drawer, { words, language, mails })
}

function showList(drawer: Drawer, view: View) {
  const { words, language, mails } = view
  const time = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
  const rows = mails.map((mail) =>
    element(
      'li',
      {},
      element(
        'button',
        { class: 'row', type: 'button', onclick: () => showMail(drawer, view, mail) },
        element('strong', { lang: mail.language }, mail.subject),
        element('span', {}, mail.to),
        element('time', { datetime: mail.created_at }, time.format(new Date(mail.created_at))),
      ),
    ),
  )
  drawer.fill(words.bar.mail, rows.length > 0 ? element('ul', {}, ...rows) : element('p', {}, words.bar.noMail))
}

function showMail(drawer: Drawer, view: View, { id, subject }: Mail) {
  const back = element('button', { type: 'button', onclick: () => showList(drawer, view) }, icon('back'), view.words.bar.back)
  const frame = { src: `/mock/mailbox/${id}/html`, title: subject, sandbox: 'allow-top-navigation-by-user-activation' }
  drawer.fill(subject, element('div', {}, back), element('iframe', frame))
  back.focus()
}
