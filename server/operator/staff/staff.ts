import type { StaffRole } from '#contracts/lib/staff-rights.ts'
import { STAFF_INVITATION_DAYS, STAFF_INVITATION_PATH, type StaffKey, type StaffMember } from '#contracts/operator/staff.ts'
import { DAY_MS, formatInstant } from '#contracts/rules/time.ts'
import { type DeedPorts, doDeed } from '#server/deeds/do-deed.ts'
import { Failure } from '#server/lib/errors.ts'
import { sha256 } from '#server/lib/secrets.ts'
import { queueMail } from '#server/outbox/outbox.store.ts'
import type { World } from '#server/ports/world.ts'
import {
  countAdministrators,
  endSessionsOf,
  endStaffKey,
  findByEmail,
  findMember,
  insertStaffKey,
  markRemoved,
  type StaffKeyRow,
  type StaffRow,
  saveInvited,
  updateMember,
} from './staff.store.ts'

/** Changes of staff run one after the other, so that one administrator always remains. */
const LOCK = ['staff:all'] as const

type Ports = DeedPorts & Pick<World, 'ids' | 'origin'>

export const presentMember = (row: StaffRow, lastSeenAt: Date | null = null): StaffMember => ({
  id: row.id,
  email: row.email,
  name: row.name,
  role: row.role,
  state: row.invitationHash === null ? 'active' : 'invited',
  created_at: formatInstant(row.createdAt),
  last_seen_at: lastSeenAt && formatInstant(lastSeenAt),
})

export const presentKey = ({ id, label, role, createdAt, lastUsedAt }: StaffKeyRow): StaffKey => ({
  id,
  label,
  role,
  created_at: formatInstant(createdAt),
  last_used_at: lastUsedAt && formatInstant(lastUsedAt),
})

/**
 * Invites a member of staff. An invited member gets a new link, and the older one ends. Also returns the link, in case mail does not work
 * yet. Throws `email_exists` for a member who has accepted.
 */
export function addMember(ports: Ports, { email, name, role }: { email: string; name?: string | undefined; role: StaffRole }) {
  const { clock, ids, origin, actor } = ports
  return doDeed(ports, LOCK, async (tx) => {
    const now = clock.now()
    const known = await findByEmail(tx, email)
    if (known && known.removedAt === null && known.invitationHash === null) throw new Failure('email_exists')
    const key = ids.token()
    const row = await saveInvited(tx, {
      ...{ email, name: name ?? email, role, createdAt: now },
      ...{ invitationHash: sha256(key), invitationEndsAt: new Date(now.getTime() + STAFF_INVITATION_DAYS * DAY_MS) },
    })
    await queueMail(tx, { to: email, template: 'staff_invitation', language: 'en', data: { key, inviter: actor.who }, now })
    return {
      deed: { kind: 'staff_added', subject: email, detail: { role } },
      response: { member: presentMember(row), invitation: `${origin}${STAFF_INVITATION_PATH}?key=${key}` },
      secret: 'invitation',
    }
  })
}

/** Changes the role of a member, who signs in again with it. Throws `not_found`, and `last_administrator`. */
export const changeRole = (ports: DeedPorts, id: number, role: StaffRole) =>
  doDeed(ports, LOCK, async (tx) => {
    const member = await findMember(tx, id)
    if (!member) throw new Failure('not_found')
    if (role !== 'admin') await requireOtherAdministrator(tx, member)
    const changed = await updateMember(tx, id, { role })
    await endSessionsOf(tx, id)
    return {
      deed: { kind: 'staff_changed', subject: member.email, detail: { from: member.role, to: role } },
      response: presentMember(changed),
    }
  })

/** Removes a member and their secrets; name and deeds stay. Throws `not_found`, and `last_administrator`. */
export const removeMember = (ports: DeedPorts, id: number) =>
  doDeed(ports, LOCK, async (tx) => {
    const member = await findMember(tx, id)
    if (!member) throw new Failure('not_found')
    await requireOtherAdministrator(tx, member)
    await markRemoved(tx, member, ports.clock.now())
    return { deed: { kind: 'staff_removed', subject: member.email }, response: { id } }
  })

/** The operator's program can always add an administrator, but a console without one would be a surprise. */
async function requireOtherAdministrator(tx: Parameters<typeof countAdministrators>[0], { role, invitationHash }: StaffRow) {
  if (role === 'admin' && invitationHash === null && (await countAdministrators(tx)) < 2) throw new Failure('last_administrator')
}

/** Makes a key for another system of the company. It is returned once; only its hash is stored. */
export const addKey = (ports: Ports, { label, role }: { label: string; role: StaffRole }) =>
  doDeed(ports, [], async (tx) => {
    const key = ports.ids.token()
    const row = await insertStaffKey(tx, { hash: sha256(key), label, role, createdAt: ports.clock.now() })
    return { deed: { kind: 'key_added', subject: label, detail: { role } }, response: { entry: presentKey(row), key }, secret: 'key' }
  })

export const endKey = (ports: DeedPorts, id: number) =>
  doDeed(ports, [], async (tx) => {
    const ended = await endStaffKey(tx, id, ports.clock.now())
    if (!ended) throw new Failure('not_found')
    return { deed: { kind: 'key_ended', subject: ended.label }, response: { id } }
  })
