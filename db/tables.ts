import * as accounts from './tables/accounts.ts'
import * as commerce from './tables/commerce.ts'
import * as devices from './tables/devices.ts'
import * as emails from './tables/emails.ts'
import * as places from './tables/places.ts'
import * as positions from './tables/positions.ts'
import * as sharing from './tables/sharing.ts'
import * as worlds from './tables/worlds.ts'

/** Every table, for drizzle's relational queries and for tests that walk them all. */
export const tables = { ...accounts, ...commerce, ...devices, ...emails, ...places, ...positions, ...sharing, ...worlds }
