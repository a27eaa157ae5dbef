import type { ScenarioKey } from '#contracts/mock/scenarios.ts'
import { controlPlane, reloadSignedIn, signIn } from '#server/mock/panel/parts/control-plane.ts'
import { badge, button, choice, form, group, link, note, rows } from '#server/mock/panel/parts/controls.ts'
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
    const titles = scenarios.map(({ key, title }) => [key, `${key}: ${title}`] as const)
    const scenarioChoice = choice('Scenario', titles, world.scenario)
    const newScenario = choice('Scenario', titles)
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
        note(`Scenario ${world.scenario}, seed ${world.seed}. A reset discards all changes.`),
        form(context, 'Reset', [scenarioChoice], async () => {
          const { scenario, personas: cast } = await controlPlane.worlds.reset({ body: { scenario: scenarioChoice.read() as ScenarioKey } })
          reloadSignedIn(context, cast, `The world is that of ${scenario} again`)
        }),
      ),
      group(
        'Other worlds',
        note('Each world has its own data, time and mail. It ends an hour after its last request.'),
        form(context, 'New world', [newScenario], async () => {
          const { id, scenario } = await controlPlane.worlds.create({ body: { scenario: newScenario.read() as ScenarioKey } })
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
