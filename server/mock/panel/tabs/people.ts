import { SCENARIO_SIZE } from '#contracts/mock/scenarios.ts'
import { controlPlane, reloadSignedIn, signIn } from '#server/mock/panel/parts/control-plane.ts'
import { badge, button, choice, form, group, link, note, rows, text } from '#server/mock/panel/parts/controls.ts'
import { element } from '#server/mock/panel/parts/element.ts'
import type { Tab, TabContext } from '#server/mock/panel/parts/tab.ts'

type World = Awaited<ReturnType<typeof controlPlane.worlds.list>>[number]

export const people: Tab = {
  id: 'people',
  title: 'People',
  async show(context) {
    const [{ world }, personas, scenarios, worlds] = await Promise.all([
      controlPlane.worlds.about(),
      controlPlane.scenarios.personas(),
      controlPlane.scenarios.list(),
      controlPlane.worlds.list(),
    ])
    const resetTo = chooseScenario(scenarios, world.scenario)
    const newScenario = chooseScenario(scenarios)
    context.fill(
      group(
        'Sign in as',
        rows(
          personas.map(({ key, name, email, role, language }) => [
            button(
              context,
              element('span', { class: 'two' }, element('strong', {}, name), element('span', {}, `${email}, ${language}`)),
              () => signIn(context, key),
              { class: 'row' },
            ),
            badge(role, 'plain'),
          ]),
          'This world has no personas.',
        ),
      ),
      group(
        `World ${world.id}`,
        note(
          `Scenario ${world.scenario}${world.size === null ? '' : ` with ${world.size} trackers`}, seed ${world.seed}. A reset discards all changes.`,
        ),
        form(context, 'Reset', resetTo.fields, async () => {
          const { scenario, personas: cast } = await controlPlane.worlds.reset({ body: resetTo.read() })
          reloadSignedIn(context, cast, `The world is that of ${scenario} again`)
        }),
      ),
      group(
        'Other worlds',
        note('Each world has its own data, time and mail. It ends an hour after its last request.'),
        form(context, 'New world', newScenario.fields, async () => {
          const { id, scenario } = await controlPlane.worlds.create({ body: newScenario.read() })
          await people.show(context)
          return `World ${id} of ${scenario} is there: open it in the list`
        }),
        rows(
          worlds.filter(({ id }) => id !== world.id).map((one) => worldRow(context, one)),
          'There is no other world.',
        ),
      ),
    )
  },
}

type Scenario = Awaited<ReturnType<typeof controlPlane.scenarios.list>>[number]

/** The choice of a scenario, with the number of trackers beside it where the scenario has a size. */
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

const worldRow = (context: TabContext, { id, scenario, base_url }: World) => [
  link(base_url, `${id}`, { target: '_blank' }),
  badge(scenario, 'plain'),
  ...(id === 'main'
    ? []
    : [
        button(
          context,
          'End',
          async () => {
            await controlPlane.worlds.remove({ params: { id } })
            await people.show(context)
          },
          { 'aria-label': `End ${id}` },
        ),
      ]),
]
