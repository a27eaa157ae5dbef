import type { Entry } from '#contracts/mock/requests.ts'
import type { Desk, Tab } from '#server/mock/panel/parts/desk.ts'
import { element } from '#server/mock/panel/parts/element.ts'
import { badge, button, group, line, link, note, opening } from '#server/mock/panel/parts/parts.ts'
import { server } from '#server/mock/panel/parts/server.ts'

/** A request as published by the event stream. */
type Told = Pick<Entry, 'id' | 'method' | 'url' | 'status' | 'duration_ms' | 'verdict' | 'route' | 'user'>

const LIMIT = 60

export const requests: Tab = {
  id: 'requests',
  title: 'Requests',
  async show(desk) {
    const [calls, broken] = await Promise.all([server.requests.list({ query: { limit: LIMIT } }), server.violations.list()])
    const list = element('ul', {}, ...calls.map((call) => rowOf(desk, call)))
    const count = element('strong')
    let violations = broken.length
    const tell = () => count.replaceChildren(violations === 1 ? '1 violation' : `${violations} violations`)

    desk.hear('request', (told) => {
      list.prepend(rowOf(desk, told as Told))
      while (list.childElementCount > LIMIT) list.lastElementChild?.remove()
    })
    desk.hear('contract', () => {
      violations++
      tell()
    })
    desk.fill(
      group(
        'Calls of the API',
        note(count, ' of the contract so far.'),
        line(
          button(desk, 'Forget calls', async () => {
            await server.requests.clear()
            list.replaceChildren()
          }),
          button(desk, 'Forget violations', async () => {
            await server.violations.clear()
            violations = 0
            tell()
          }),
          link('/mock/requests.har', 'HAR', { download: 'whereabouts.har', class: 'button' }),
        ),
        list,
      ),
    )
    tell()
  },
}

function rowOf(desk: Desk, call: Told) {
  const { method, url, status, duration_ms, verdict } = call
  const head = [
    element('span', { class: 'method' }, method),
    element('span', { class: 'path' }, url),
    element('span', { class: 'facts' }, `${status === 0 ? 'cut off' : status} · ${Math.round(duration_ms)} ms `, badge(verdict, verdict)),
  ]
  return element(
    'li',
    {},
    opening(desk, head, () => exchange(call)),
  )
}

/** Shows the bodies of a request and its response. */
async function exchange({ id, route }: Told) {
  const entry = (await server.requests.find({ body: { after: id - 1, ...(route && { route }) } })).at(-1)
  if (entry?.id !== id) throw new Error(`Call ${id} is no longer in the journal`)
  return element(
    'div',
    {},
    note([entry.route ?? 'no call of the API', entry.user ?? 'nobody signed in', entry.at].join(' · ')),
    ...entry.breaches.map(({ side, path, message }) => element('p', { class: 'bad' }, `${side} ${path}: ${message}`)),
    ...sideOf('Request', entry.request.body),
    ...sideOf('Answer', entry.response.body),
  )
}

const sideOf = (title: string, body: string) =>
  body === '' ? [] : [element('h4', {}, title), element('pre', { tabindex: '0', 'aria-label': title }, indented(body))]

function indented(body: string) {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
