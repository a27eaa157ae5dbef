import type { Contact, contacts as contract } from '#contracts/contacts.ts'
import { byName } from '#contracts/rules/text.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import type { DbReader } from '#db/db.ts'
import { writeDevices } from '#db/device-changes.ts'
import { ownerOf } from '#db/people.ts'
import type { Viewer } from '#db/scope.ts'
import { removeAlertsOfContact } from '#server/alerts/change-alerts.ts'
import { countAttempt } from '#server/http/access/limits.ts'
import type { Handlers } from '#server/http/serve.ts'
import { requireRoom } from '#server/lib/account-limit.ts'
import { Failure } from '#server/lib/errors.ts'
import { sha256 } from '#server/lib/secrets.ts'
import { queueMail, recipientColumns } from '#server/mail/mail-outbox.store.ts'
import {
  type ContactRow,
  countContacts,
  findVisibleContact,
  insertContact,
  listVisibleContacts,
  removeContact,
  updateContact,
} from './contacts.store.ts'

/** People without a login to whom alerts are mailed. */
export const contacts: Handlers<typeof contract> = {
  async list(_, { db, viewer }) {
    return (await listVisibleContacts(db.read, viewer)).sort(byName).map(presentContact)
  },

  async create({ body }, { db, viewer }) {
    const contact = { ...body, phone: body.phone || null, accountId: viewer.accountId }
    const added = await writeDevices(db, async (tx) => {
      requireRoom('contacts', await countContacts(tx, viewer.accountId))
      return insertContact(tx, contact)
    })
    if (!added) throw new Failure('contact_exists')
    return getContact(db.read, viewer, added.id)
  },

  async update({ params, body }, { db, viewer }) {
    const changed = await writeDevices(db, async (tx) => {
      const known = await findVisibleContact(tx, viewer, params.id)
      if (!known) throw new Failure('not_found')
      const { stoppedAt: _, ...stored } = known
      const contact = { ...stored, ...body, ...('phone' in body && { phone: body.phone || null }) }
      if (!(await updateContact(tx, contact))) throw new Failure('contact_exists')
      return contact
    })
    return getContact(db.read, viewer, changed.id)
  },

  async askAgain({ params }, { db, viewer, clock }) {
    const contact = await findVisibleContact(db.read, viewer, params.id)
    if (!contact) throw new Failure('not_found')
    const { accountId, email, stoppedAt } = contact
    if (!stoppedAt) throw new Failure('no_change')
    await db.write(async (tx) => {
      const owner = await ownerOf(tx, accountId)
      if (!owner) throw new Failure('not_found')
      await countAttempt(tx, `ask_again:${accountId}:${sha256(email)}`, ASK_LIMIT, clock.now())
      const data = { owner: owner.firstName, account: String(accountId), since: String(stoppedAt.getTime()) }
      await queueMail(tx, { to: email, template: 'allow_alerts', ...recipientColumns(owner), data, now: clock.now() })
    })
    return presentContact(contact)
  },

  async remove({ params: { id } }, { db, viewer, clock, live }) {
    const removed = await writeDevices(db, async (tx, touch) => {
      if (!(await findVisibleContact(tx, viewer, id))) throw new Failure('not_found')
      const alerts = await removeAlertsOfContact(tx, id, { now: clock.now(), touch })
      await removeContact(tx, id)
      return alerts
    })
    for (const event of removed.events) live.publish(event)
    return { id, deleted_alerts: removed.ids }
  },
}

/** Mails that ask a person who wants none. */
const ASK_LIMIT = { max: 1, windowMinutes: 24 * 60 }

async function getContact(db: DbReader, viewer: Viewer, id: number) {
  const contact = await findVisibleContact(db, viewer, id)
  if (!contact) throw new Failure('not_found')
  return presentContact(contact)
}

const presentContact = ({ id, name, email, phone, stoppedAt }: ContactRow): Contact => ({
  id,
  name,
  email,
  phone,
  ...(stoppedAt && { mail_stopped_at: formatInstant(stoppedAt) }),
})
