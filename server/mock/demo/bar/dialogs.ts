import { element } from '#server/mock/panel/parts/element.ts'
import { icon, openDialog } from './dialog.ts'
import { type Mail, personaUrl, server, type Words, type World } from './server.ts'

type DialogContext = { root: ShadowRoot; words: Words; world: World; language: string; fail(): void }

export function openPeople({ root, words, world }: DialogContext) {
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
  fill(words.bar.people, element('ul', {}, ...rows))
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

/** Opens a link to a copy of the world in its present state, for the same persona and page. */
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
