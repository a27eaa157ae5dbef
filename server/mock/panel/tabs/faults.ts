import { type NewFault, PRESETS, type Preset } from '#contracts/mock/faults.ts'
import type { Desk, Tab } from '#server/mock/panel/parts/desk.ts'
import { element } from '#server/mock/panel/parts/element.ts'
import { kept } from '#server/mock/panel/parts/kept.ts'
import { button, choice, form, group, line, note, rows, same, text } from '#server/mock/panel/parts/parts.ts'
import { server } from '#server/mock/panel/parts/server.ts'

type Fault = Awaited<ReturnType<typeof server.faults.list>>[number]

const EFFECTS = ['status', 'latency', 'hang', 'reset', 'empty', 'malformed', 'slow', 'stale'] as const
type Effect = (typeof EFFECTS)[number]

export const faults: Tab = {
  id: 'faults',
  title: 'Faults',
  async show(desk) {
    const switches = PRESETS.map((name) => presetSwitch(desk, name, draw))
    const list = element('div')
    async function draw() {
      const set = await server.faults.list()
      for (const { tell } of switches) tell(set)
      list.replaceChildren(
        rows(
          set.map((fault) => faultRow(desk, fault, draw)),
          'Nothing goes wrong on purpose.',
        ),
      )
    }
    const count = async () => {
      const set = await server.faults.list()
      for (const { id, matched, happened } of set) list.querySelector(`#fault-${id}`)?.replaceChildren(`${happened} of ${matched} calls`)
    }
    const route = text('Call or path', { placeholder: 'places.list', size: '14' })
    const effect = choice('Effect', same(EFFECTS))
    const number = text('Status or ms', { value: '500', inputmode: 'numeric', size: '6' })
    const times = text('Times', { placeholder: 'always', inputmode: 'numeric', size: '6' })

    desk.hear('request', () => void count())
    await draw()
    desk.fill(
      group('Presets', line(...switches.map(({ shown }) => shown))),
      group(
        'A fault of one’s own',
        form(desk, 'Set', [route, effect, number, times], async () => {
          await server.faults.create({
            body: {
              ...faultOf(effect.read() as Effect, Number(number.read())),
              ...(route.read() && { match: { route: route.read() } }),
              ...(times.read() && { times: Number(times.read()) }),
            },
          })
          await draw()
        }),
        note('Without a call or path it happens to all of them, never to the control plane.'),
      ),
      group(
        'Set now',
        line(
          button(desk, 'End all', async () => {
            await server.faults.clear()
            await draw()
          }),
        ),
        list,
      ),
    )
  },
}

function faultOf(effect: Effect, number: number): NewFault {
  if (effect === 'status') return { effect, status: number }
  if (effect === 'latency' || effect === 'slow') return { effect, ms: number }
  return { effect }
}

/** A switch that is on while at least one of the faults it has set still exists. */
function presetSwitch(desk: Desk, name: Preset, draw: () => Promise<void>) {
  let own: number[] = []
  const shown = button(desk, name.replaceAll('_', ' '), turn, { role: 'switch', class: 'switch' })
  async function turn() {
    if (own.length > 0) await Promise.all(own.map((id) => server.faults.remove({ params: { id } })))
    else kept.presets = { ...kept.presets, [name]: (await server.faults.preset({ params: { name } })).map(({ id }) => id) }
    await draw()
  }
  return {
    shown,
    tell(set: readonly Fault[]) {
      own = set.map(({ id }) => id).filter((id) => kept.presets?.[name]?.includes(id))
      shown.setAttribute('aria-checked', String(own.length > 0))
    },
  }
}

function faultRow(desk: Desk, { id, effect, matched, happened, ...rest }: Fault, draw: () => Promise<void>) {
  const remove = async () => {
    await server.faults.remove({ params: { id } })
    await draw()
  }
  return [
    element('span', { class: 'two' }, element('strong', {}, effect), element('code', {}, JSON.stringify(rest))),
    element('span', { class: 'facts', id: `fault-${id}` }, `${happened} of ${matched} calls`),
    button(desk, 'End', remove, { 'aria-label': `End fault ${id}` }),
  ]
}
