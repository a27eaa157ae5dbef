import type { Entry } from '#contracts/mock/requests.ts'
import { controlPlane } from '#server/mock/panel/parts/control-plane.ts'
import { badge, button, expandableRow, group, line, link, note } from '#server/mock/panel/parts/controls.ts'
import { deviations } from '#server/mock/panel/parts/deviations.ts'
import { element } from '#server/mock/panel/parts/element.ts'
import type { Tab, TabContext } from '#server/mock/panel/parts/tab.ts'

type PublishedRequest = Pick<Entry, 'id' | 'method' | 'url' | 'status' | 'duration_ms' | 'verdict' | 'route' | 'user'>

const LIMIT = 60

export const requests: Tab = {
  id: 'requests',
  title: 'Requests',
  async show(context) {
    const [calls, broken] = await Promise.all([controlPlane.requests.list({ query: { limit: LIMIT } }), controlPlane.violations.list()])
    const list = element('ul', {}, ...calls.map((call) => requestRow(context, call)))
    const count = element('strong')
    let violations = broken.length
    const drawCount = () => count.replaceChildren(violations === 1 ? '1 violation' : `${violations} violations`)

    context.on('request', (event) => {
      list.prepend(requestRow(context, event as PublishedRequest))
      while (list.childElementCount > LIMIT) list.lastElementChild?.remove()
    })
    context.on('contract', () => {
      violations++
      drawCount()
    })
    context.fill(
      group(
        'Calls of the API',
        note(count, ' of the contract so far.'),
        line(
          button(context, 'Forget calls', async () => {
            await controlPlane.requests.clear()
            list.replaceChildren()
          }),
          button(context, 'Forget violations', async () => {
            await controlPlane.violations.clear()
            violations = 0
            drawCount()
          }),
          link('/mock/requests.har', 'HAR', { download: 'whereabouts.har', class: 'button' }),
        ),
        list,
      ),
      ...renderDeviations(),
    )
    drawCount()
  },
}

/** Only a broken response brings them about, such as with the preset `contract_drift`. */
const renderDeviations = () =>
  deviations.length === 0
    ? []
    : [
        group(
          'Forgiven by the portal',
          element('ul', {}, ...deviations.map(({ call, path, habit }) => element('li', {}, `${call} ${path || 'body'}: ${habit}`))),
        ),
      ]

function requestRow(context: TabContext, call: PublishedRequest) {
  const { method, url, status, duration_ms, verdict } = call
  const head = [
    element('span', { class: 'method' }, method),
    element('span', { class: 'path' }, url),
    element('span', { class: 'facts' }, `${status === 0 ? 'cut off' : status} · ${Math.round(duration_ms)} ms `, badge(verdict, verdict)),
  ]
  return element(
    'li',
    {},
    expandableRow(context, head, () => renderExchange(call)),
  )
}

async function renderExchange({ id, route }: PublishedRequest) {
  const entry = (await controlPlane.requests.find({ body: { after: id - 1, ...(route && { route }) } })).at(-1)
  if (entry?.id !== id) throw new Error(`Request ${id} is no longer in the journal`)
  return element(
    'div',
    {},
    note([entry.route ?? 'not an API endpoint', entry.user ?? 'not signed in', entry.at].join(' · ')),
    ...entry.breaches.map(({ side, path, message }) => element('p', { class: 'bad' }, `${side} ${path}: ${message}`)),
    ...renderBody('Request', entry.request.body),
    ...renderBody('Answer', entry.response.body),
  )
}

const renderBody = (title: string, body: string) =>
  body === '' ? [] : [element('h4', {}, title), element('pre', { tabindex: '0', 'aria-label': title }, formatJson(body))]

function formatJson(body: string) {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
