import { parseArgs } from 'node:util'
import { STAFF_ROLES, type StaffRole } from '#contracts/lib/staff-rights.ts'
import { normalizeAddress } from '#contracts/rules/reading/text.ts'
import { Email } from '#contracts/rules/reading/text-fields.ts'
import type { DbReader } from '#db/db.ts'
import { type DeedPorts, PROGRAM } from '#server/deeds/do-deed.ts'
import type { World } from '#server/ports/world.ts'
import { findByEmail, listStaff, listStaffKeys } from './staff.store.ts'
import { addKey, addMember, changeRole, endKey, presentKey, presentMember, removeMember } from './staff.ts'

type Ports = Omit<DeedPorts, 'actor'> & Pick<World, 'ids' | 'origin'> & { print(line: string): void }

export const STAFF_USAGE = `  staff [list]               prints the members of staff, one JSON object a line
  staff add EMAIL --role ${STAFF_ROLES.join('|')} [--name NAME]   invites one by mail, and prints the link
  staff role EMAIL --role ROLE   changes the role; the member signs in again
  staff remove EMAIL         ends the access at once
  keys [list]                prints the keys of other systems, one JSON object a line
  keys add LABEL --role ROLE   makes a key and prints it once
  keys end ID                ends a key at once`

/** Returns false for arguments that it does not know. Throws a sentence for a value that cannot be used. */
export async function operateStaff(given: Ports, args: string[]): Promise<boolean> {
  const ports = { ...given, actor: PROGRAM }
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { role: { type: 'string' }, name: { type: 'string' } },
  })
  const [deed, email, ...more] = positionals
  if (deed === undefined) {
    for (const { member, lastSeenAt } of await listStaff(ports.db.read)) ports.print(JSON.stringify(presentMember(member, lastSeenAt)))
    return true
  }
  if (email === undefined || more.length > 0) return false
  if (deed === 'add') {
    const { invitation } = await addMember(ports, { email: readEmail(email), name: values.name, role: readRole(values.role) })
    ports.print(`${normalizeAddress(email)} gets a mail with this link, which works for a week: ${invitation}`)
    return true
  }
  if (deed !== 'role' && deed !== 'remove') return false
  const { id } = await findMemberByEmail(ports.db.read, email)
  if (deed === 'role') ports.print(`${email} has the role ${(await changeRole(ports, id, readRole(values.role))).role}.`)
  else {
    await removeMember(ports, id)
    ports.print(`${email} has no access any more.`)
  }
  return true
}

/** Returns false for arguments that it does not know. Throws a sentence for a value that cannot be used. */
export async function operateKeys(given: Ports, args: string[]): Promise<boolean> {
  const ports = { ...given, actor: PROGRAM }
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options: { role: { type: 'string' } } })
  const [deed, about, ...more] = positionals
  if (deed === undefined) {
    for (const key of await listStaffKeys(ports.db.read)) ports.print(JSON.stringify(presentKey(key)))
    return true
  }
  if (about === undefined || more.length > 0) return false
  if (deed === 'add') {
    ports.print((await addKey(ports, { label: about, role: readRole(values.role) })).key)
    return true
  }
  if (deed !== 'end') return false
  const found = (await listStaffKeys(ports.db.read)).find(({ id }) => String(id) === about)
  if (!found) throw new Error(`There is no key with the id ${about}.`)
  await endKey(ports, found.id)
  ports.print(`The key ${found.label} has ended.`)
  return true
}

function readRole(text: string | undefined): StaffRole {
  const role = STAFF_ROLES.find((each) => each === text)
  if (!role) throw new Error(`--role is one of ${STAFF_ROLES.join(', ')}.`)
  return role
}

function readEmail(text: string): string {
  const parsed = Email.safeParse(text)
  if (!parsed.success) throw new Error(`${text} is not an e-mail address.`)
  return parsed.data
}

async function findMemberByEmail(db: DbReader, email: string) {
  const member = await findByEmail(db, readEmail(email))
  if (!member || member.removedAt !== null) throw new Error(`No member of staff has the e-mail ${email}.`)
  return member
}
