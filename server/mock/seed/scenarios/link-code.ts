import type { Scenario } from './scene.ts'

export const linkCode: Scenario = {
  title: 'A subscription bought elsewhere is linked by the code of an e-mail: one that is good, one used, one of nothing',
  covers: ['4', '5', '8'],
  routes: ['/link_subscription', '/link_subscription_success'],
  cast: ['alice'],
  trackers: ['kitchen', 'familyCar'],
}
