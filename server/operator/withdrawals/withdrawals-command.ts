import { parseArgs } from 'node:util'
import { WITHDRAWAL_OUTCOMES } from '#contracts/billing/withdrawal.ts'
import type { World } from '#server/ports/world.ts'
import { readPage } from './withdrawals.handlers.ts'
import { readWithdrawal } from './withdrawals.present.ts'

export const WITHDRAWALS_USAGE = `  withdrawals list [${WITHDRAWAL_OUTCOMES.join('|')}] [--search=TEXT]   prints withdrawals of customers, one JSON object a line
  withdrawals show ID        prints a withdrawal with its contract and what was paid back`

type Ports = Pick<World, 'db'> & { print(line: string): void }

/** Returns false for arguments that it does not know. Throws a sentence for an unknown withdrawal. */
export async function operateWithdrawals({ db, print }: Ports, args: string[]) {
  const { values, positionals } = parseArgs({ args, options: { search: { type: 'string' } }, allowPositionals: true })
  const [deed = 'list', about, ...more] = positionals
  if (more.length > 0) return false
  if (deed === 'show') {
    if (!/^\d{1,15}$/.test(about ?? '')) return false
    const shown = await readWithdrawal(db.read, Number(about)).catch((cause: unknown) => {
      throw new Error('There is no such withdrawal.', { cause })
    })
    print(JSON.stringify(shown))
    return true
  }
  const outcome = WITHDRAWAL_OUTCOMES.find((each) => each === about)
  if (deed !== 'list' || (about !== undefined && !outcome)) return false
  let after: string | null | undefined
  do {
    const page = await readPage(db.read, { outcome, search: values.search, ...(after && { after }) })
    for (const withdrawal of page.withdrawals) print(JSON.stringify(withdrawal))
    after = page.next
  } while (after)
  return true
}
