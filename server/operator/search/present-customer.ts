import { personName } from '#contracts/rules/user.ts'
import type { DbReader } from '#db/db.ts'
import { findAccountOwner } from '#db/people.ts'

/** Who owns an account, for lists of the console. */
export async function presentCustomer(db: DbReader, account: number) {
  const owner = await findAccountOwner(db, account)
  return { account, email: owner?.email ?? '', name: owner ? personName(owner.firstName, owner.lastName, owner.language) : '' }
}
