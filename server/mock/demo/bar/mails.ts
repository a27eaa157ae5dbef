import { element } from '#server/mock/panel/parts/element.ts'
import { openDialog } from './dialog.ts'
import { icon } from './icons.ts'
import { type Mail, server, type Words } from './server.ts'

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
