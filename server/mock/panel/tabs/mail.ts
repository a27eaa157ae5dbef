import type { Desk, Tab } from '#server/mock/panel/parts/desk.ts'
import { element } from '#server/mock/panel/parts/element.ts'
import { button, group, line, link, note, opening, rows } from '#server/mock/panel/parts/parts.ts'
import { server } from '#server/mock/panel/parts/server.ts'

type Head = Awaited<ReturnType<typeof server.mail.list>>[number]

/** Only the newest are listed; the mailbox has all. */
const SHOWN = 40

export const mail: Tab = {
  id: 'mail',
  title: 'Mail',
  async show(desk) {
    const list = element('div')
    const draw = async () => {
      const heads = await server.mail.list({ query: {} })
      list.replaceChildren(
        rows(
          heads.slice(0, SHOWN).map((head) => [mailRow(desk, head)]),
          'No mail was written yet.',
        ),
      )
    }
    desk.hear('mail', () => void draw())
    desk.fill(group('Mail', note('Newest first. ', link('/mock/mailbox', 'The mailbox has them all', { target: '_blank' })), list))
    await draw()
  },
}

const mailRow = (desk: Desk, { id, to, subject, template, bounced }: Head) =>
  opening(
    desk,
    [
      element(
        'span',
        { class: 'two' },
        element('strong', {}, subject),
        element('span', {}, `${to} · ${template}${bounced ? ' · bounced' : ''}`),
      ),
    ],
    () => inside(desk, id),
  )

/** Shows a mail's links and codes, and the mail itself in a sandbox without scripts. */
async function inside(desk: Desk, id: number) {
  const { links, codes, subject } = await server.mail.read({ params: { id } })
  const sandbox = 'allow-top-navigation-by-user-activation'
  return element(
    'div',
    {},
    line(
      ...codes.map((code) => element('code', { class: 'code' }, code)),
      ...links.map((href) => link(href, shortly(href), { title: href })),
    ),
    element('iframe', { src: `/mock/mailbox/${id}/html`, title: subject, sandbox }),
    line(
      link(`/mock/mailbox/${id}/html`, 'Open in a new tab', { target: '_blank' }),
      button(desk, 'Bounce', async () => {
        await server.mail.bounce({ params: { id } })
        return 'The address refused it for good'
      }),
    ),
  )
}

const shortly = (href: string) => new URL(href).pathname
