import { personName } from '#contracts/rules/user.ts'
import type { DbReader } from '#db/db.ts'
import { findAccountOwners } from '#db/people.ts'

/** Who owns the account of each row, for a page of a list of the console: one query for all. */
export async function presentCustomers(db: DbReader, rows: readonly { accountId: number }[]) {
  const owners = await findAccountOwners(
    db,
    rows.map(({ accountId }) => accountId),
  )
  return (account: number) => {
    const owner = owners.get(account)
    return { account, email: owner?.email ?? '', name: owner ? personName(owner.firstName, owner.lastName, owner.language) : '' }
  }
}

export const presentCustomer = async (db: DbReader, account: number) => (await presentCustomers(db, [{ accountId: account }]))(account)
export type Customer = Awaited<ReturnType<typeof presentCustomer>>
