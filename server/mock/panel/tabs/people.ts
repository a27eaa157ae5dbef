import type { ScenarioKey } from '#contracts/mock/scenarios.ts'
import type { Desk, Tab } from '#server/mock/panel/parts/desk.ts'
import { element } from '#server/mock/panel/parts/element.ts'
import { badge, button, choice, form, group, link, note, rows } from '#server/mock/panel/parts/parts.ts'
import { server } from '#server/mock/panel/parts/server.ts'
import { signIn, stay } from '#server/mock/panel/parts/sign-in.ts'

type World = Awaited<ReturnType<typeof server.worlds.list>>[number]

export const people: Tab = {
  id: 'people',
  title: 'People',
  async show(desk) {
    const [{ world }, personas, scenarios, worlds] = await Promise.all([
      server.worlds.about(),
      server.scenarios.personas(),
      server.scenarios.list(),
      server.worlds.list(),
    ])
    const titles = scenarios.map(({ key, title }) => [key, `${key}: ${title}`] as const)
    const wanted = choice('Scenario', titles, world.scenario)
    const other = choice('Scenario', titles)
    desk.fill(
      group(
        'Sign in as',
        rows(
          personas.map(({ key, name, email, role, language }) => [
            button(
              desk,
              element('span', { class: 'two' }, element('strong', {}, name), element('span', {}, `${email}, ${language}`)),
              () => signIn(desk, key),
              { class: 'row' },
            ),
            badge(role, 'plain'),
          ]),
          'Nobody can sign in to this world.',
        ),
      ),
      group(
        `World ${world.id}`,
        note(`Of the scenario ${world.scenario}, seed ${world.seed}. A reset forgets all that was done in it.`),
        form(desk, 'Reset', [wanted], async () => {
          const { scenario, personas: cast } = await server.worlds.reset({ body: { scenario: wanted.read() as ScenarioKey } })
          stay(desk, cast, `The world is that of ${scenario} again`)
        }),
      ),
      group(
        'Other worlds',
        note('A world of one’s own has its own data, time and mail. It ends an hour after its last call.'),
        form(desk, 'New world', [other], async () => {
          const { id, scenario } = await server.worlds.create({ body: { scenario: other.read() as ScenarioKey } })
          await people.show(desk)
          return `World ${id} of ${scenario} is there: open it in the list`
        }),
        rows(
          worlds.filter(({ id }) => id !== world.id).map((one) => worldRow(desk, one)),
          'There is no other world.',
        ),
      ),
    )
  },
}

const worldRow = (desk: Desk, { id, scenario, base_url }: World) => [
  link(base_url, `${id}`, { target: '_blank' }),
  badge(scenario, 'plain'),
  ...(id === 'main'
    ? []
    : [
        button(
          desk,
          'End',
          async () => {
            await server.worlds.remove({ params: { id } })
            await people.show(desk)
          },
          { 'aria-label': `End ${id}` },
        ),
      ]),
]
