import { SCENARIO_SIZE } from '#contracts/mock/scenarios.ts'
import { controlPlane, controlPlaneOf, reloadSignedIn } from '#server/mock/panel/parts/control-plane.ts'
import { badge, button, choice, form, group, link, note, rows, text } from '#server/mock/panel/parts/controls.ts'
import { element } from '#server/mock/panel/parts/element.ts'
import { panelState } from '#server/mock/panel/parts/panel-state.ts'
import { closePanelWindow } from '#server/mock/panel/parts/panel-window.ts'
import type { Tab, TabContext } from '#server/mock/panel/parts/tab.ts'

type World = Awaited<ReturnType<typeof controlPlane.worlds.list>>[number]
type Scenario = Awaited<ReturnType<typeof controlPlane.scenarios.list>>[number]

const NAME = {
  placeholder: 'a name, or none',
  pattern: '[a-z0-9][a-z0-9\\-]{0,39}',
  title: 'Small letters, digits and hyphens',
  size: '14',
}

export const worlds: Tab = {
  id: 'worlds',
  title: 'Worlds',
  async show(context) {
    const [{ world: here }, scenarios, all] = await Promise.all([
      controlPlane.worlds.about(),
      controlPlane.scenarios.list(),
      controlPlane.worlds.list(),
    ])
    const resetTo = chooseScenario(scenarios, here.scenario)
    const newScenario = chooseScenario(scenarios)
    const newName = text('Name', NAME)
    const copyName = text('Name', NAME)
    const finish = async (id: string, message: string) => {
      await worlds.show(context)
      return `World ${id} ${message}`
    }
    context.fill(
      group(
        `World ${here.id}`,
        note(
          `Scenario ${here.scenario}${here.size === null ? '' : ` with ${here.size} trackers`}, seed ${here.seed}, ${formatGrace(here)}. A reset discards all changes.`,
        ),
        form(context, 'Reset', resetTo.fields, async () => {
          const { scenario, personas } = await controlPlane.worlds.reset({ body: resetTo.read() })
          reloadSignedIn(context, personas, `The world is that of ${scenario} again`)
        }),
      ),
      group(
        'All worlds',
        note('Each world has its own data, time and mail. An unused one is deleted after an hour.'),
        rows(
          all.map((one) => worldRow(context, one, here.id)),
          'There is no world.',
        ),
      ),
      group(
        'New world',
        form(context, 'Create', [newName, ...newScenario.fields], async () => {
          const { id, scenario } = await controlPlane.worlds.create({ body: { ...newScenario.read(), ...readName(newName) } })
          return finish(id, `of ${scenario} was created`)
        }),
      ),
      group(
        'Copy of this world',
        form(context, 'Copy', [copyName], async () => {
          const { id } = await controlPlane.worlds.clone({ params: { id: here.id }, body: readName(copyName) })
          return finish(id, `is a copy of ${here.id}`)
        }),
      ),
    )
  },
}

/** When a tracker without a subscription rests. */
const formatGrace = ({ grace_days: days }: Pick<World, 'grace_days'>) =>
  days === null ? 'trackers never rest' : `trackers rest ${days} days after their subscription`

const readName = (field: { read(): string }) => (field.read() ? { id: field.read() } : {})

/** The choice of a scenario, with the number of trackers next to it if the scenario has a size. */
function chooseScenario(scenarios: readonly Scenario[], chosen?: string) {
  const scenario = choice(
    'Scenario',
    scenarios.map(({ key, title }) => [key, `${key}: ${title}`] as const),
    chosen,
  )
  const { minimum: min, maximum: max } = SCENARIO_SIZE
  const size = text('Trackers', { type: 'number', min: String(min), max: String(max) })
  const defaultSize = () => scenarios.find(({ key }) => key === scenario.read())?.size ?? null
  const update = () => {
    size.shown.hidden = defaultSize() === null
    size.shown.querySelector('input')!.placeholder = String(defaultSize() ?? '')
  }
  scenario.shown.addEventListener('change', update)
  update()
  return {
    fields: [scenario, size],
    read: () => ({
      scenario: scenario.read(),
      ...(defaultSize() !== null && size.read() && { size: Number(size.read()) }),
    }),
  }
}

function worldRow(context: TabContext, world: World, here: string) {
  const { id, scenario, clock } = world
  const name = element('span', { class: 'two' }, link(findOpenAddress(world), id, { target: '_blank' }), element('span', {}, clock.now))
  if (id === here) return [name, badge(scenario, 'plain'), element('span', { class: 'here' }, 'This one')]
  return [
    name,
    badge(scenario, 'plain'),
    button(context, 'Switch', () => switchTo(world), { 'aria-label': `Switch to ${id}` }),
    ...(id === 'main' ? [] : [button(context, 'Delete', () => remove(context, id), { 'aria-label': `Delete ${id}` })]),
  ]
}

async function remove(context: TabContext, id: string) {
  await controlPlane.worlds.remove({ params: { id } })
  await worlds.show(context)
}

/** Opens this page in another world, signed in as the same persona or the first of that world. */
async function switchTo(world: World) {
  const { scenarios } = controlPlaneOf(world.id)
  const personas = await scenarios.personas()
  const persona = personas.find(({ key }) => key === panelState.persona) ?? personas[0]
  const token = persona && (await scenarios.login({ body: { persona: persona.key } })).token
  // Pages of one tracker belong to this world, and the user is signed in there.
  const path = /\d|^\/login/.test(location.pathname) ? '/' : location.pathname
  const isElsewhere = new URL(findOpenAddress(world)).origin !== location.origin
  const panel = isElsewhere && closePanelWindow() ? 'moved' : 'open'
  location.assign(findOpenAddress(world, `${path}?panel=${panel}${token ? `&token=${token}` : ''}`))
}

/** Worlds that share an origin are chosen by the cookie that the entry link sets. So is `main`, in case that cookie names another world. */
function findOpenAddress({ id, base_url, enter_url }: World, path = '/') {
  const isShared = new URL(base_url).origin === new URL(enter_url).origin
  return id === 'main' || isShared ? `${enter_url}?to=${encodeURIComponent(path)}` : base_url + path
}
