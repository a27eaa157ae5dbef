import { controlPlane, signIn } from '#server/mock/panel/parts/control-plane.ts'
import { badge, button, group, rows } from '#server/mock/panel/parts/controls.ts'
import { element } from '#server/mock/panel/parts/element.ts'
import type { Tab } from '#server/mock/panel/parts/tab.ts'

export const people: Tab = {
  id: 'people',
  title: 'People',
  async show(context) {
    const personas = await controlPlane.scenarios.personas()
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
    )
  },
}
