import { clock, jobs } from './clock.ts'
import { downlinks } from './downlinks.ts'
import { entities } from './entities.ts'
import { events } from './events.ts'
import { faults } from './faults.ts'
import { mail } from './mail.ts'
import { firings, hooks, pushes, silences } from './outgoing.ts'
import { payments } from './payments.ts'
import { deeds, secondFactor, staff } from './people.ts'
import { requests, violations } from './requests.ts'
import { scenarios } from './scenarios.ts'
import { sim } from './sim.ts'
import { snapshots } from './snapshots.ts'
import { worlds } from './worlds.ts'

/** The control plane of the mock server, by resource. It does not exist in production. */
export const control = {
  worlds,
  scenarios,
  secondFactor,
  staff,
  deeds,
  snapshots,
  entities,
  clock,
  sim,
  jobs,
  faults,
  requests,
  violations,
  events,
  mail,
  downlinks,
  pushes,
  hooks,
  firings,
  silences,
  payments,
}
