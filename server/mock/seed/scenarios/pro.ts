import type { Scenario } from './scene.ts'

export const pro: Scenario = {
  title: 'The team of a company: administrator, members, an invitation, and support',
  covers: ['2', '6'],
  routes: ['/administration/users', '/operators/helium/', '/network_activate', '/'],
  cast: ['admin', 'member', 'support'],
}
