import type { Entry } from '#contracts/mock/requests.ts'
import { controlPlane } from '#server/mock/panel/parts/control-plane.ts'
import {
  badge,
  button,
  checkbox,
  choice,
  expandableRow,
  group,
  line,
  link,
  note,
  optionsOf,
  text,
} from '#server/mock/panel/parts/controls.ts'
import { formatCurl } from '#server/mock/panel/parts/curl.ts'
import { element } from '#server/mock/panel/parts/element.ts'
import { deviations, panelState, type RequestFilter } from '#server/mock/panel/parts/panel-state.ts'
import { clipboard } from '#server/mock/panel/parts/panel-window.ts'
import type { Tab, TabContext } from '#server/mock/panel/parts/tab.ts'

type Call = Pick<Entry, 'id' | 'at' | 'method' | 'url' | 'status' | 'duration_ms' | 'verdict' | 'route' | 'user'>

const LOADED = 300
const MAX_SHOWN = 60
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const ANYTHING: RequestFilter = { method: '', text: '', status: '', isBroken: false }

export const requests: Tab = {
  id: 'requests',
  title: 'Requests',
  async show(context) {
    const [loaded, broken] = await Promise.all([controlPlane.requests.list({ query: { limit: LOADED } }), controlPlane.violations.list()])
    let calls: Call[] = loaded
    let filter = panelState.requestFilter ?? ANYTHING
    const list = element('ul', { class: 'calls' })
    const count = element('strong')
    const found = element('p', { class: 'note', 'aria-live': 'polite' })
    let violations = broken.length
    const drawCount = () => count.replaceChildren(violations === 1 ? '1 violation' : `${violations} violations`)
    const drawFound = () => {
      const matching = calls.filter((call) => isMeant(call, filter)).length
      found.replaceChildren(matching === calls.length ? '' : `${matching} of ${calls.length} calls`)
    }
    const draw = () => {
      const matching = calls.filter((call) => isMeant(call, filter))
      list.replaceChildren(...matching.slice(0, MAX_SHOWN).map((call) => requestRow(context, call)))
      drawFound()
    }

    context.on('request', (event) => {
      const call = event as Call
      calls = [call, ...calls].slice(0, LOADED)
      if (isMeant(call, filter)) list.prepend(requestRow(context, call))
      while (list.childElementCount > MAX_SHOWN) list.lastElementChild?.remove()
      drawFound()
    })
    context.on('contract', () => {
      violations++
      drawCount()
    })
    context.fill(
      group(
        'Calls of the API',
        note(count, ' of the contract so far.'),
        filterForm(filter, (changed) => {
          filter = changed
          panelState.requestFilter = changed
          draw()
        }),
        line(
          button(context, 'Forget calls', async () => {
            await controlPlane.requests.clear()
            calls = []
            draw()
          }),
          button(context, 'Forget violations', async () => {
            await controlPlane.violations.clear()
            violations = 0
            drawCount()
          }),
          link('/mock/requests.har', 'HAR', { download: 'whereabouts.har', class: 'button' }),
        ),
        found,
        list,
      ),
      ...renderDeviations(),
    )
    drawCount()
    draw()
  },
}

function filterForm(filter: RequestFilter, apply: (filter: RequestFilter) => void) {
  const method = choice('Method', [['', 'any'], ...optionsOf(METHODS)], filter.method)
  const path = text('Path', { type: 'search', value: filter.text, size: '14' })
  const status = text('Status', { type: 'search', value: filter.status, placeholder: '404 or 5xx', size: '9' })
  const isBroken = checkbox('Only calls that broke the contract', filter.isBroken)
  const change = () => apply({ method: method.read(), text: path.read(), status: status.read(), isBroken: isBroken.read() })
  const fields = [method, path, status, isBroken].map(({ shown }) => shown)
  return element('div', { class: 'line', role: 'search', 'aria-label': 'Calls', oninput: change }, ...fields)
}

const isMeant = (call: Call, { method, text, status, isBroken }: RequestFilter) =>
  (method === '' || call.method === method) &&
  `${call.url} ${call.route}`.toLowerCase().includes(text.toLowerCase()) &&
  String(call.status).startsWith(status.replace(/x+$/i, '')) &&
  (!isBroken || call.verdict !== 'pass')

/** Only a broken response causes them, such as with the preset `contract_drift`. */
const renderDeviations = () =>
  deviations.length === 0
    ? []
    : [
        group(
          'Forgiven by the portal',
          element('ul', {}, ...deviations.map(({ call, path, habit }) => element('li', {}, `${call} ${path || 'body'}: ${habit}`))),
        ),
      ]

function requestRow(context: TabContext, call: Call) {
  const { at, method, url, route, status, duration_ms, verdict } = call
  const head = [
    element('time', { class: 'time', datetime: at, title: at }, at.slice(11, 19)),
    element('span', { class: 'method' }, method),
    element('span', { class: 'path' }, url),
    element('span', { class: 'facts' }, `${status === 0 ? 'cut off' : status} · ${Math.round(duration_ms)} ms `, badge(verdict, verdict)),
  ]
  const breakCall = () => {
    panelState.callToBreak = route ? { route, method: '' } : { route: url.replace(/\?.*/s, ''), method }
    context.open('faults')
  }
  return element(
    'li',
    {},
    element(
      'div',
      { class: 'item' },
      expandableRow(context, head, () => renderExchange(call)),
    ),
    button(context, 'curl', () => copyAsCurl(call), {
      class: 'small',
      title: 'Copy as curl',
      'aria-label': `Copy ${method} ${url} as curl`,
    }),
    element(
      'button',
      { type: 'button', class: 'small', title: 'Break this call', 'aria-label': `Break ${method} ${url}`, onclick: breakCall },
      'Break',
    ),
  )
}

async function findEntry({ id, route }: Call) {
  const entry = (await controlPlane.requests.find({ body: { after: id - 1, ...(route && { route }) } })).at(-1)
  if (entry?.id !== id) throw new Error(`Request ${id} is no longer in the journal`)
  return entry
}

/** Signs the call's persona in again, because sessions are not in the journal. */
async function copyAsCurl(call: Call) {
  const [entry, { world }, personas] = await Promise.all([findEntry(call), controlPlane.worlds.about(), controlPlane.scenarios.personas()])
  const persona = personas.find(({ email }) => email === entry.user)?.key
  const token = persona && (await controlPlane.scenarios.login({ body: { persona } })).token
  const command = formatCurl(entry, { origin: location.origin, world: world.id, token })
  try {
    await clipboard().writeText(command)
    return `Copied: ${call.method} ${call.url} as curl`
  } catch {
    // Pages without https may not write to the clipboard.
    return command
  }
}

async function renderExchange(call: Call) {
  const entry = await findEntry(call)
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
