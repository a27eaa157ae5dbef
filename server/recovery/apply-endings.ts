import type { Db } from '#db/db.ts'
import { hashEnding, MAX_STOPS, nameOfContact, nameOfPassword, nameOfRow, nameOfStop } from '#db/endings.ts'
import type { EndingKind } from '#db/schema/security.ts'
import { forgetMaker } from '#server/accounts/team/team.store.ts'
import { eraseUser } from '#server/accounts/users/erase-self.ts'
import { insertStop } from '#server/contacts/contacts.store.ts'
import { endStaffKey, listStaff, listStaffKeys, markRemoved } from '#server/operator/staff/staff.store.ts'
import type { World } from '#server/ports/world.ts'
import { removeTrackers } from '#server/trackers/ownership/remove-trackers.ts'
import {
  deleteContact,
  type Ending,
  insertEndings,
  listAllContacts,
  listAllTrackers,
  listAllUsers,
  listEndings,
  listTrackers,
  REMOVABLE,
  removePassword,
} from './endings.store.ts'

type Ports = Pick<World, 'clock'> & { db: Db }
type End = (ports: Ports, isListed: (name: string) => boolean) => Promise<number>

/** Number of objects of each kind that existed again and were ended. */
export type Ended = Partial<Record<EndingKind, number>>

/**
 * Ends again what is on the list but not in the database's own: things that people ended after the backup. Nothing else is changed, so it
 * can be repeated.
 */
export async function applyEndings(ports: Ports, listed: readonly Ending[]): Promise<Ended> {
  const { db } = ports
  const known = new Set((await listEndings(db.read, 0)).map(({ hash }) => hash))
  const lost = listed.filter(({ kind, hash }) => kind in ENDS && !known.has(hash))
  if (lost.length === 0) return {}
  const hashes = new Set(lost.map(({ hash }) => hash))
  const kinds = new Set(lost.map(({ kind }) => kind))
  const ended: Ended = {}
  for (const [kind, end] of Object.entries(ENDS) as [EndingKind, End][]) {
    if (!kinds.has(kind)) continue
    const number = await end(ports, (name) => hashes.has(hashEnding(kind, name)))
    if (number > 0) ended[kind] = number
  }
  await db.write([], (tx) => insertEndings(tx, lost))
  return ended
}

const removeRows =
  (kind: keyof typeof REMOVABLE): End =>
  async ({ db }, isListed) => {
    const { list, remove } = REMOVABLE[kind]
    const names = (await list(db.read)).map(({ name }) => name).filter(isListed)
    for (const name of names) await db.write('everything', (tx) => remove(tx, name))
    return names.length
  }

/** Users are ended first, because many of the other rows belong to them. */
const ENDS: Record<EndingKind, End> = {
  async user({ db, clock }, isListed) {
    const back = (await listAllUsers(db.read)).filter((user) => isListed(nameOfRow(user)))
    for (const user of back)
      await db.write('everything', async (tx) => {
        await forgetMaker(tx, user.id)
        await eraseUser(tx, user, { positions: db.positions, clock })
      })
    return back.length
  },
  async tracker({ db, clock }, isListed) {
    const back = (await listAllTrackers(db.read)).filter((tracker) => isListed(nameOfRow(tracker)))
    for (const { id } of back)
      await db.write('everything', async (tx) => removeTrackers(tx, await listTrackers(tx, [id]), { positions: db.positions, clock }))
    return back.length
  },
  async contact({ db }, isListed) {
    const back = (await listAllContacts(db.read)).filter((contact) => isListed(nameOfContact(contact)))
    for (const { id } of back) await db.write('everything', (tx) => deleteContact(tx, id))
    return back.length
  },
  async mail_stop({ db, clock }, isListed) {
    const isStopped = (contact: { accountId: number; email: string }) =>
      Array.from({ length: MAX_STOPS }, (_, nth) => nameOfStop(contact, nth)).some(isListed)
    const back = (await listAllContacts(db.read)).filter(isStopped)
    const stoppedAt = clock.now()
    for (const { accountId, email } of back) await db.write('everything', (tx) => insertStop(tx, { accountId, email, stoppedAt }))
    return back.length
  },
  async password({ db }, isListed) {
    const back = (await listAllUsers(db.read)).filter(
      ({ passwordHash, ...user }) => passwordHash !== null && isListed(nameOfPassword({ ...user, passwordHash })),
    )
    for (const { id } of back) await db.write('everything', (tx) => removePassword(tx, id))
    return back.length
  },
  passkey: removeRows('passkey'),
  api_token: removeRows('api_token'),
  public_link: removeRows('public_link'),
  device_key: removeRows('device_key'),
  network_key: removeRows('network_key'),
  async staff_member({ db, clock }, isListed) {
    const back = (await listStaff(db.read)).map(({ member }) => member).filter((member) => isListed(nameOfRow(member)))
    for (const member of back) await db.write('everything', (tx) => markRemoved(tx, member, clock.now()))
    return back.length
  },
  async staff_key({ db, clock }, isListed) {
    const back = (await listStaffKeys(db.read)).filter(({ hash }) => isListed(hash))
    for (const { id } of back) await db.write('everything', (tx) => endStaffKey(tx, id, clock.now()))
    return back.length
  },
}
