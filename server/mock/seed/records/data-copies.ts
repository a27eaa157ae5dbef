import { DATA_COPY } from '#contracts/accounts/my-data.ts'
import type { dataCopies, dataCopyFiles } from '#db/schema/accounts.ts'
import { packFile } from '#server/lib/zip.ts'
import type { Moments } from './moments.ts'
import { getPersona } from './personas.ts'

const ID = 1
const RECORD = Buffer.from('{}')

/** A copy of her data that alice can download. */
export const dataCopyRows = (at: Moments): (typeof dataCopies.$inferInsert)[] => [
  {
    id: ID,
    userId: getPersona('alice').id,
    createdAt: at({ hours: -1 }),
    readyAt: at({ hours: -1 }),
    endsAt: at({ hours: DATA_COPY.hours - 1 }),
    size: 48_128,
  },
]

export async function dataCopyFileRows(at: Moments): Promise<(typeof dataCopyFiles.$inferInsert)[]> {
  const file = await packFile('account.json', at({ hours: -1 }), RECORD)
  return [{ ...file, packed: Buffer.from(file.packed), copyId: ID }]
}
