import { type NewFault, PRESETS, type Preset } from '#contracts/mock/faults.ts'
import { controlPlane } from '#server/mock/panel/parts/control-plane.ts'
import { button, choice, form, group, line, note, optionsOf, rows, text } from '#server/mock/panel/parts/controls.ts'
import { element } from '#server/mock/panel/parts/element.ts'
import { panelState } from '#server/mock/panel/parts/panel-state.ts'
import type { Tab, TabContext } from '#server/mock/panel/parts/tab.ts'

type Fault = Awaited<ReturnType<typeof controlPlane.faults.list>>[number]

const EFFECTS = ['status', 'respond', 'latency', 'hang', 'reset', 'empty', 'malformed', 'slow', 'stale'] as const
type Effect = (typeof EFFECTS)[number]

export const faults: Tab = {
  id: 'faults',
  title: 'Faults',
  async show(context) {
    const switches = PRESETS.map((name) => presetSwitch(context, name, draw))
    const list = element('div')
    async function draw() {
      const set = await controlPlane.faults.list()
      for (const { tell } of switches) tell(set)
      list.replaceChildren(
        rows(
          set.map((fault) => faultRow(context, fault, draw)),
          'No faults are set.',
        ),
      )
    }
    const count = async () => {
      const set = await controlPlane.faults.list()
      for (const { id, matched, happened } of set) list.querySelector(`#fault-${id}`)?.replaceChildren(`${happened} of ${matched} calls`)
    }
    const route = text('Call or path', { placeholder: 'places.list', size: '14' })
    const effect = choice('Effect', optionsOf(EFFECTS))
    const number = text('Status or ms', { value: '500', inputmode: 'numeric', size: '6' })
    const answer = text('Answer (JSON or text)', { placeholder: '{"id": "{{params.id}}"}', size: '26' })
    const times = text('Times', { placeholder: 'always', inputmode: 'numeric', size: '6' })

    context.on('request', () => void count())
    await draw()
    context.fill(
      group('Presets', line(...switches.map(({ shown }) => shown))),
      group(
        'Custom fault',
        form(context, 'Set', [route, effect, number, answer, times], async () => {
          await controlPlane.faults.create({
            body: {
              ...buildFault(effect.read() as Effect, Number(number.read()), answer.read()),
              ...(route.read() && { match: { route: route.read() } }),
              ...(times.read() && { times: Number(times.read()) }),
            },
          })
          await draw()
        }),
        note('Without an endpoint or path it applies to all requests, except those to the control plane.'),
      ),
      group(
        'Active faults',
        line(
          button(context, 'End all', async () => {
            await controlPlane.faults.clear()
            await draw()
          }),
        ),
        list,
      ),
    )
  },
}

function buildFault(effect: Effect, number: number, answer: string): NewFault {
  if (effect === 'respond') return { effect, status: number, ...(answer && { body: parseAnswer(answer) }) }
  if (effect === 'status') return { effect, status: number }
  if (effect === 'latency' || effect === 'slow') return { effect, ms: number }
  return { effect }
}

function parseAnswer(answer: string): unknown {
  try {
    return JSON.parse(answer)
  } catch {
    return answer
  }
}

/** A switch that is on while at least one of the faults it has set still exists. */
function presetSwitch(context: TabContext, name: Preset, draw: () => Promise<void>) {
  let own: number[] = []
  const shown = button(context, name.replaceAll('_', ' '), toggle, { role: 'switch', class: 'switch' })
  async function toggle() {
    if (own.length > 0) await Promise.all(own.map((id) => controlPlane.faults.remove({ params: { id } })))
    else
      panelState.presets = { ...panelState.presets, [name]: (await controlPlane.faults.preset({ params: { name } })).map(({ id }) => id) }
    await draw()
  }
  return {
    shown,
    tell(set: readonly Fault[]) {
      own = set.map(({ id }) => id).filter((id) => panelState.presets?.[name]?.includes(id))
      shown.setAttribute('aria-checked', String(own.length > 0))
    },
  }
}

/** Such as “places.list: 500, 2 times”. */
function describeFault({ effect, match, status, ms, action, times, after }: Partial<Fault>) {
  const { route, method, persona } = (match ?? {}) as { [name: string]: string | undefined }
  const who = [method, route ?? 'all calls', persona && `of ${persona}`].filter(Boolean).join(' ')
  const what = [effect === 'status' ? '' : effect, status, ms && `${ms} ms`, action].filter(Boolean).join(' ')
  return `${who}: ${[what, after && `after ${after}`, times && `${times} times`].filter(Boolean).join(', ')}`
}

function faultRow(context: TabContext, { id, effect, matched, happened, ...rest }: Fault, draw: () => Promise<void>) {
  const remove = async () => {
    await controlPlane.faults.remove({ params: { id } })
    await draw()
  }
  return [
    element('span', { class: 'two' }, element('strong', {}, describeFault({ effect, ...rest })), element('code', {}, JSON.stringify(rest))),
    element('span', { class: 'facts', id: `fault-${id}` }, `${happened} of ${matched} calls`),
    button(context, 'End', remove, { 'aria-label': `End fault ${id}` }),
  ]
}
