import { describeChoice } from '#contracts/mock/choices.ts'
import type { staff as contract, deeds as deedsContract } from '#contracts/mock/people.ts'
import { presentDeed } from '#server/deeds/deeds.handlers.ts'
import { listDeeds } from '#server/deeds/deeds.store.ts'
import { csrfTokenOf } from '#server/http/access/csrf.ts'
import { STAFF_COOKIE } from '#server/http/access/staff-access.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure, invalidField } from '#server/lib/errors.ts'
import { waitForResult } from '#server/mock/events/events.ts'
import { DEMO_PASSWORD, STAFF, type StaffPersona } from '#server/mock/seed/records/personas.ts'
import { NO_END } from '#server/mock/worlds/worlds.store.ts'
import type { MockWorlds } from '#server/mock/worlds/worlds.ts'
import { openStaffSession } from '#server/operator/staff/sign-in.ts'
import { listStaff } from '#server/operator/staff/staff.store.ts'
import type { World } from '#server/ports/world.ts'

/** How long a browser keeps the cookie: by its own clock, whatever the time of the world. */
const DAY_SECONDS = 86_400
const MAX_LISTED = 200

export const staff = (worlds: MockWorlds): Handlers<typeof contract> => ({
  async list(_, world) {
    const members = await listPersonas(world)
    return members.map(({ key, name, email, role }) => ({ key, name, email, password: DEMO_PASSWORD, role }))
  },
  async login({ body }, context) {
    const members = await listPersonas(context)
    const member = members.find(({ key }) => key === body.member)
    if (!member)
      throw invalidField(
        'member',
        describeChoice(
          body.member,
          members.map(({ key }) => key),
        ),
      )
    const token = await openStaffSession(context, member, NO_END)
    context.cookies.set(STAFF_COOKIE, token, { httpOnly: true, maxAge: DAY_SECONDS, sameSite: 'strict' })
    return {
      cookie: { name: STAFF_COOKIE, value: token },
      csrf_token: csrfTokenOf(token),
      url: `${worlds.get(context.id)!.origin}/operator`,
    }
  },
})

export const deeds = (worlds: MockWorlds): Handlers<typeof deedsContract> => ({
  async list(_, { db }) {
    const rows = await listDeeds(db.read, {}, MAX_LISTED)
    return rows.map(presentDeed)
  },
  async wait({ body: { kind, subject, after = 0, timeout_ms } }, { id, db }) {
    const filter = { ...(kind && { kind }), ...(subject !== undefined && { subject }) }
    const found = await waitForResult(worlds.get(id)!.events, timeout_ms, async () => {
      const [newest] = await listDeeds(db.read, filter, 1)
      return newest && newest.id > after ? newest : undefined
    })
    if (!found) throw new Failure('nothing_came')
    return presentDeed(found)
  },
})

/** The seeded members who still work here, with their present name and role. */
async function listPersonas({ db }: Pick<World, 'db'>): Promise<StaffPersona[]> {
  const members = new Map((await listStaff(db.read)).map(({ member }) => [member.email, member]))
  return STAFF.flatMap((persona) => {
    const member = members.get(persona.email)
    return member ? [{ ...persona, name: member.name, role: member.role }] : []
  })
}
