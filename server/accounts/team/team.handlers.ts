import type { team as contract } from '#contracts/accounts/team.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import { recordEvent } from '#server/security/security-log.ts'
import { changeDevices, getMember, inviteMember, listTeam, readMade, removeMember, resendInvitation } from './members.ts'
import { findMember, updateMember } from './team.store.ts'

export const team: Handlers<typeof contract> = {
  list: (_, { db, viewer }) => listTeam(db.read, viewer.accountId),

  invite: ({ body }, context) => inviteMember(context, body),

  change: ({ params, query, body }, context) =>
    context.db.write([`account:${context.viewer.accountId}`], async (tx) => {
      const member = await findMember(tx, { accountId: context.viewer.accountId, id: params.id })
      if (!member) throw new Failure('not_found')
      const name = { ...(body.first_name && { firstName: body.first_name }), ...(body.last_name && { lastName: body.last_name }) }
      if (Object.keys(name).length > 0) await updateMember(tx, member.id, name)
      if (body.devices) await changeDevices(tx, context, member, { devices: body.devices, made: query.made })
      await recordEvent(tx, context, { kind: 'member_changed', about: member.email })
      return getMember(tx, member)
    }),

  async remove({ params, query }, context) {
    await removeMember(context, params.id, query.made)
    return { id: params.id }
  },

  made: ({ params }, context) => readMade(context, params.id),

  async resendInvitation({ params }, context) {
    await resendInvitation(context, params.id)
    return { sent: true }
  },
}
