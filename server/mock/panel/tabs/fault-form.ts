import type { NewFault } from '#contracts/mock/faults.ts'
import { controlPlane } from '#server/mock/panel/parts/control-plane.ts'
import { choice, type Field, form, multiline, optionsOf, suggest, text } from '#server/mock/panel/parts/controls.ts'
import { element } from '#server/mock/panel/parts/element.ts'
import type { PanelState } from '#server/mock/panel/parts/panel-state.ts'
import type { TabContext } from '#server/mock/panel/parts/tab.ts'

type Effect = NewFault['effect']
type Fields = Record<string, Field>
type Known = { personas: readonly string[]; routes: readonly string[]; begun: PanelState['callToBreak'] }
/** How an effect reads its fields; `undefined` values are omitted from the fault. */
type Kind = { words: string; fields: () => Fields; build: (read: (name: string) => string) => object }

const number = (label: string, value = '', placeholder = '') => text(label, { value, placeholder, inputmode: 'numeric', size: '7' })
const toNumber = (typed: string) => (typed === '' ? undefined : Number(typed))
const answer = (example: string) => multiline('Answer: JSON or text', { placeholder: example })

const KINDS: Record<Effect, Kind> = {
  status: {
    words: 'answers an error',
    fields: () => ({ status: number('Status', '503'), body: answer('as the server would answer') }),
    build: (read) => ({ status: Number(read('status')), body: parseAnswer(read('body')) }),
  },
  respond: {
    words: 'answers this, in place of the server',
    fields: () => ({ status: number('Status', '200'), body: answer('{"id": "{{params.id}}", "at": "{{now}}"}') }),
    build: (read) => ({ status: Number(read('status')), body: parseAnswer(read('body')) }),
  },
  mutate: {
    words: 'answers with other fields',
    fields: () => ({
      set: multiline('Fields to set: JSON by path', { placeholder: '{"*.name": "X", "0.battery": null}' }),
      remove: text('Fields to leave out', { placeholder: '*.radius, 0.id', size: '20' }),
    }),
    build: (read) => ({ set: parseAnswer(read('set')), remove: splitPaths(read('remove')) }),
  },
  latency: {
    words: 'answers late',
    fields: () => ({ ms: number('Wait, ms', '2000'), jitter: number('Up to ms more', '', 'none') }),
    build: (read) => ({ ms: Number(read('ms')), jitter_ms: toNumber(read('jitter')) }),
  },
  slow: {
    words: 'answers bit by bit',
    fields: () => ({ ms: number('Over ms', '3000') }),
    build: (read) => ({ ms: Number(read('ms')) }),
  },
  hang: {
    words: 'never answers',
    fields: () => ({ ms: number('Cut off after ms', '', 'never') }),
    build: (read) => ({ ms: toNumber(read('ms')) }),
  },
  reset: { words: 'is cut off at once', fields: () => ({}), build: () => ({}) },
  empty: { words: 'answers without a body', fields: () => ({}), build: () => ({}) },
  malformed: { words: 'answers with half of the body', fields: () => ({}), build: () => ({}) },
  stale: { words: 'repeats its first answer', fields: () => ({}), build: () => ({}) },
  stream: {
    words: 'disturbs its live stream',
    fields: () => ({
      action: choice('Events', [
        ['drop', 'are lost'],
        ['duplicate', 'come twice'],
        ['reorder', 'come after the next one'],
        ['stall', 'end, while the stream stays open'],
      ]),
      every: number('Every n-th event', '1'),
    }),
    build: (read) => ({ action: read('action'), every: Number(read('every')) }),
  },
}

/** A fault as a sentence: which call does what, and when. Fields follow the chosen effect. */
export function faultForm(context: TabContext, { personas, routes, begun }: Known, done: () => Promise<void>) {
  const route = text('Call or path', { placeholder: 'places.list', size: '18', value: begun?.route ?? '' })
  suggest(route, 'routes', routes)
  const method = choice('Method', [['', 'any'], ...optionsOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])], begun?.method)
  const persona = choice('By', [['', 'anyone'], ...optionsOf(personas)])
  const effect = choice(
    'What happens',
    Object.entries(KINDS).map(([key, { words }]) => [key, words] as const),
  )
  const after = number('After calls', '', '0')
  const times = number('Times', '', 'always')
  const share = number('Share, %', '', '100')
  const details = element('fieldset', { 'aria-label': 'Details' })
  let own: Fields = {}
  const kind = () => KINDS[effect.read() as Effect]
  const showDetails = () => {
    own = kind().fields()
    details.replaceChildren(...Object.values(own).map(({ shown }) => shown))
  }
  effect.shown.addEventListener('change', showDetails)
  showDetails()

  const shown = form(context, 'Set', [route, method, persona, effect, { shown: details }, after, times, share], async () => {
    const match = withoutGaps({ route: route.read(), method: method.read(), persona: persona.read() })
    const fault = {
      effect: effect.read(),
      ...kind().build((name) => own[name]!.read()),
      ...(Object.keys(match).length > 0 && { match }),
      after: toNumber(after.read()),
      times: toNumber(times.read()),
      probability: share.read() === '' ? undefined : Number(share.read()) / 100,
    }
    // The server validates the input, and names the invalid field.
    const { words } = await controlPlane.faults.create({ body: withoutGaps(fault) as NewFault })
    await done()
    return words
  })
  return { shown, focus: () => effect.shown.querySelector('select')!.focus() }
}

const withoutGaps = (values: object) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== ''))

const splitPaths = (typed: string) => (typed === '' ? undefined : typed.split(/[\s,]+/))

function parseAnswer(typed: string): unknown {
  if (typed === '') return undefined
  try {
    return JSON.parse(typed)
  } catch {
    return typed
  }
}
