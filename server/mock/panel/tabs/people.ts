import { rights } from '#contracts/lib/rights.ts'
import { SCOPES } from '#contracts/lib/scopes.ts'
import { controlPlane, openConsole, signIn } from '#server/mock/panel/parts/control-plane.ts'
import { badge, button, choice, form, group, note, rows } from '#server/mock/panel/parts/controls.ts'
import { element } from '#server/mock/panel/parts/element.ts'
import type { Tab } from '#server/mock/panel/parts/tab.ts'

export const people: Tab = {
  id: 'people',
  title: 'People',
  async show(context) {
    const [personas, staff] = await Promise.all([controlPlane.scenarios.personas(), controlPlane.staff.list()])
    const owners = personas.filter(({ role }) => rights.ownTrackers.some((own) => own === role))
    const owner = choice(
      'Of',
      owners.map(({ key, name }) => [key, name]),
    )
    const reach = choice('It may', [
      ['read', 'read'],
      ['write', 'read and change'],
    ])
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
        'Sign in to the console as',
        rows(
          staff.map(({ key, name, email, role }) => [
            button(
              context,
              element('span', { class: 'two' }, element('strong', {}, name), element('span', {}, email)),
              () => openConsole(key),
              { class: 'row' },
            ),
            badge(role, 'plain'),
          ]),
          'This world has no staff.',
        ),
      ),
      group(
        'API token',
        note('For a program that uses the API without a sign-in.'),
        form(context, 'Create', [owner, reach], async () => {
          const { label, token } = await controlPlane.scenarios.token({
            body: { persona: owner.read(), ...(reach.read() === 'read' && { scopes: SCOPES.filter((scope) => scope.endsWith(':read')) }) },
          })
          return `${label}: ${token}`
        }),
      ),
    )
  },
}
