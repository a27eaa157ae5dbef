import * as accounts from '#db/tables/accounts.ts'
import * as commerce from '#db/tables/commerce.ts'
import * as devices from '#db/tables/devices.ts'
import * as emails from '#db/tables/emails.ts'
import * as places from '#db/tables/places.ts'
import * as positions from '#db/tables/positions.ts'
import * as sharing from '#db/tables/sharing.ts'
import * as worlds from '#db/tables/worlds.ts'

/** Every table, for drizzle's relational queries and for tests that walk them all. */
export const tables = { ...accounts, ...commerce, ...devices, ...emails, ...places, ...positions, ...sharing, ...worlds }
