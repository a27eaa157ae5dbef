import * as accounts from './accounts.ts'
import * as commerce from './commerce.ts'
import * as devices from './devices.ts'
import * as factors from './factors.ts'
import * as messages from './messages.ts'
import * as networks from './networks.ts'
import * as places from './places.ts'
import * as positions from './positions.ts'
import * as returns from './returns.ts'
import * as security from './security.ts'
import * as sharing from './sharing.ts'
import * as staff from './staff.ts'
import * as worlds from './worlds.ts'

/** Every table, for drizzle's relational queries and for tests that iterate over all. */
export const tables = {
  ...accounts,
  ...commerce,
  ...devices,
  ...messages,
  ...factors,
  ...networks,
  ...places,
  ...positions,
  ...returns,
  ...security,
  ...sharing,
  ...staff,
  ...worlds,
}
