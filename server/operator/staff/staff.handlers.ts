import type { staffKeys as keysContract, staffSession as sessionContract, staff as staffContract } from '#contracts/operator/staff.ts'
import { STAFF_COOKIE } from '#server/http/access/staff-access.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import { sha256 } from '#server/lib/secrets.ts'
import { acceptInvitation, openInvitation, presentSession, signInStaff } from './sign-in.ts'
import { endSession, findSession, listStaff, listStaffKeys } from './staff.store.ts'
import { addKey, addMember, changeRole, endKey, presentKey, presentMember, removeMember } from './staff.ts'

export const staffSession: Handlers<typeof sessionContract> = {
  signIn: ({ body }, context) => signInStaff(context, body),
  async get(_, { db, staffToken }) {
    const found = staffToken === undefined ? undefined : await findSession(db.read, sha256(staffToken))
    if (!found || staffToken === undefined) throw new Failure('not_authenticated')
    return presentSession(found.member, staffToken, found.session.expiresAt)
  },
  async end(_, { db, cookies, staffToken }) {
    if (staffToken !== undefined) await db.write([], async (tx) => void (await endSession(tx, sha256(staffToken))))
    cookies.expire(STAFF_COOKIE)
  },
  openInvitation: ({ body }, context) => openInvitation(context, body.key),
  acceptInvitation: ({ body }, context) => acceptInvitation(context, body),
}

export const staff: Handlers<typeof staffContract> = {
  list: async (_, { db }) => (await listStaff(db.read)).map(({ member, lastSeenAt }) => presentMember(member, lastSeenAt)),
  add: ({ body }, context) => addMember(context, body),
  change: ({ params, body }, context) => changeRole(context, params.id, body.role),
  remove: ({ params }, context) => removeMember(context, params.id),
}

export const staffKeys: Handlers<typeof keysContract> = {
  list: async (_, { db }) => (await listStaffKeys(db.read)).map(presentKey),
  add: ({ body }, context) => addKey(context, body),
  end: ({ params }, context) => endKey(context, params.id),
}
