import { removeUser } from '#server/accounts/users/users.store.ts'
import { Failure } from '#server/lib/errors.ts'
import type { ViewerContext } from '#server/ports/world.ts'
import { findMember } from './team.store.ts'

/**
 * Removes a user with their sessions and list of trackers; the trackers stay in the account. Throws `own_account` for the signed-in user.
 */
export async function removeMember({ db, viewer: { userId, accountId } }: ViewerContext, id: number) {
  if (id === userId) throw new Failure('own_account')
  await db.write(async (tx) => {
    const member = await findMember(tx, { accountId, id })
    if (!member) throw new Failure('not_found')
    await removeUser(tx, { userId: member.id, email: member.email })
  })
}
