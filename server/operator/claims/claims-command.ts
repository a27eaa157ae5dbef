import { parseArgs } from 'node:util'
import { CARE_STATUSES } from '#contracts/billing/care-claims.ts'
import type { World } from '#server/ports/world.ts'
import { readPage } from './claims.ts'

export const CLAIMS_USAGE = `  claims list [${CARE_STATUSES.join('|')}] [--search=TEXT]   prints the claims on care plans, the newest first, one JSON object a line`

type Ports = Pick<World, 'db'> & { print(line: string): void }

/** Returns false for arguments that it does not know. */
export async function operateClaims({ db, print }: Ports, args: string[]) {
  const { values, positionals } = parseArgs({ args, options: { search: { type: 'string' } }, allowPositionals: true })
  const [deed = 'list', given, ...more] = positionals
  const status = CARE_STATUSES.find((each) => each === given)
  if (deed !== 'list' || more.length > 0 || (given !== undefined && !status)) return false
  let before: string | null | undefined
  do {
    const page = await readPage(db.read, { status, search: values.search, ...(before && { before }) })
    for (const claim of page.claims) print(JSON.stringify(claim))
    before = page.next
  } while (before)
  return true
}
