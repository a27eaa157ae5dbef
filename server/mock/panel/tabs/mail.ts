import { controlPlane } from '#server/mock/panel/parts/control-plane.ts'
import { button, expandableRow, group, line, link, note, rows } from '#server/mock/panel/parts/controls.ts'
import { element } from '#server/mock/panel/parts/element.ts'
import type { Tab, TabContext } from '#server/mock/panel/parts/tab.ts'

type Head = Awaited<ReturnType<typeof controlPlane.mail.list>>[number]

const MAX_SHOWN = 40

export const mail: Tab = {
  id: 'mail',
  title: 'Mail',
  async show(context) {
    const list = element('div')
    const pushes = element('div')
    const hooks = element('div')
    const draw = async () => {
      const heads = await controlPlane.mail.list({ query: {} })
      list.replaceChildren(
        rows(
          heads.slice(0, MAX_SHOWN).map((head) => [mailRow(context, head)]),
          'No mail yet.',
        ),
      )
    }
    const drawPushes = async () => {
      const sent = await controlPlane.pushes.list()
      pushes.replaceChildren(
        rows(
          sent
            .slice(0, MAX_SHOWN)
            .map(({ title, user, url, buttons }) => [twoLines(title, [user, url, ...buttons.map((button) => button.title)].join(' · '))]),
          'None yet. A user switches them on in the account, in a browser that has a push service.',
        ),
      )
    }
    const drawHooks = async () => {
      const sent = await controlPlane.hooks.list()
      hooks.replaceChildren(
        rows(
          sent
            .slice(0, MAX_SHOWN)
            .map(({ kind, url, status, body }) => [twoLines(`${kind} · ${status ?? 'no response'}`, `${url} · ${body}`)]),
          'None yet. A user adds them to the preferences of the account.',
        ),
      )
    }
    context.on('hook', () => void drawHooks())
    context.on('mail', () => void draw())
    context.on('request', () => void drawPushes())
    context.on('alert', () => void drawPushes())
    context.fill(
      group('Mail', note('Newest first. ', link('/mock/mailbox', 'The mailbox has them all', { target: '_blank' })), list),
      group(
        'Webhooks, Telegram, ntfy',
        note('Recorded here; nothing is sent. '),
        line(
          button(context, 'Answer 500 for an hour', async () => {
            await controlPlane.hooks.answer({ body: { status: 500, minutes: 60 } })
            return 'Receivers answer 500 for an hour of the world'
          }),
          button(context, 'Accept again', async () => {
            await controlPlane.hooks.clear()
            await drawHooks()
            return 'Receivers accept everything'
          }),
        ),
        hooks,
      ),
      group('Notifications to browsers', note('Recorded here; nothing is sent to a push service.'), pushes),
    )
    await Promise.all([draw(), drawPushes(), drawHooks()])
  },
}

const mailRow = (context: TabContext, { id, to, subject, template, bounced }: Head) =>
  expandableRow(context, [twoLines(subject, `${to} · ${template}${bounced ? ' · bounced' : ''}`)], () => renderMail(context, id))

const twoLines = (first: string, second: string) =>
  element('span', { class: 'two' }, element('strong', {}, first), element('span', {}, second))

/** Shows a mail's links and codes, and the mail itself in a sandbox without scripts. */
async function renderMail(context: TabContext, id: number) {
  const { links, codes, subject } = await controlPlane.mail.read({ params: { id } })
  const sandbox = 'allow-top-navigation-by-user-activation'
  return element(
    'div',
    {},
    line(
      ...codes.map((code) => element('code', { class: 'code' }, code)),
      ...links.map((href) => link(href, linkText(href), { title: href })),
    ),
    element('iframe', { src: `/mock/mailbox/${id}/html`, title: subject, sandbox }),
    line(
      link(`/mock/mailbox/${id}/html`, 'Open in a new tab', { target: '_blank' }),
      button(context, 'Bounce', async () => {
        await controlPlane.mail.bounce({ params: { id } })
        return 'The address rejected it permanently'
      }),
    ),
  )
}

const linkText = (href: string) => new URL(href).pathname
