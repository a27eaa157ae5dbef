import { PRESETS, type Preset } from '#contracts/mock/faults.ts'
import { controlPlane } from '#server/mock/panel/parts/control-plane.ts'
import { button, group, line, note, rows } from '#server/mock/panel/parts/controls.ts'
import { element } from '#server/mock/panel/parts/element.ts'
import { panelState } from '#server/mock/panel/parts/panel-state.ts'
import type { Tab, TabContext } from '#server/mock/panel/parts/tab.ts'
import { faultForm } from './fault-form.ts'

type Fault = Awaited<ReturnType<typeof controlPlane.faults.list>>[number]

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
    /** Rows are not replaced, so that a focused button keeps its focus. */
    const update = async () => {
      for (const fault of await controlPlane.faults.list()) {
        list.querySelector(`#fault-${fault.id} strong`)?.replaceChildren(fault.words)
        list.querySelector(`#fault-${fault.id} .facts`)?.replaceChildren(formatCounts(fault))
      }
    }
    const [personas, calls] = await Promise.all([
      controlPlane.scenarios.personas(),
      controlPlane.requests.list({ query: { limit: 100 } }),
      draw(),
    ])
    const begun = panelState.callToBreak
    panelState.callToBreak = undefined
    const routes = [...new Set(calls.flatMap(({ route }) => route ?? []))].sort()
    const { shown, focus } = faultForm(context, { personas: personas.map(({ key }) => key), routes, begun }, draw)

    context.on('request', () => void update())
    context.fill(
      group('Presets', line(...switches.map(({ shown }) => shown))),
      group('New fault', shown, note('Without a call it applies to all requests, except those to the control plane.')),
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
    if (begun) focus()
  },
}

/** A switch that is on while at least one of its faults still exists. */
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

const formatCounts = ({ matched, happened }: Fault) => `${happened} of ${matched} calls`

function faultRow(context: TabContext, fault: Fault, draw: () => Promise<void>) {
  const { id, words, body, headers } = fault
  const remove = async () => {
    await controlPlane.faults.remove({ params: { id } })
    await draw()
  }
  const answer = typeof body === 'string' || body === undefined ? body : JSON.stringify(body, null, 2)
  return [
    element(
      'div',
      { class: 'two', id: `fault-${id}` },
      element('strong', {}, words),
      element('span', { class: 'facts' }, formatCounts(fault)),
      ...Object.entries(headers ?? {}).map(([name, value]) => element('span', {}, `${name}: ${value}`)),
      ...(answer ? [element('pre', { tabindex: '0', 'aria-label': 'Answer' }, answer)] : []),
    ),
    button(context, 'End', remove, { 'aria-label': `End fault ${id}` }),
  ]
}
