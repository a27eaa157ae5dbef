import type { Contact, contacts as contract } from '#contracts/contacts.ts'
import { byName } from '#contracts/rules/text.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import type { DbReader } from '#db/db.ts'
import { writeDevices } from '#db/device-changes.ts'
import type { Viewer } from '#db/scope.ts'
import { removeAlertsOfContact } from '#server/alerts/change-alerts.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import { requireRoom } from '#server/lib/limits/account-limit.ts'
import {
  type ContactRow,
  countContacts,
  findVisibleContact,
  insertContact,
  listVisibleContacts,
  removeContact,
  updateContact,
} from './contacts.store.ts'
import { askContact, askNewContact } from './mail-stop-pages.ts'

/** People without a login to whom alerts are mailed. */
export const contacts: Handlers<typeof contract> = {
  async list(_, { db, viewer }) {
    return (await listVisibleContacts(db.read, viewer)).sort(byName).map(presentContact)
  },

  async create({ body }, { db, viewer, clock, asksContacts }) {
    const contact = { ...body, phone: body.phone || null, accountId: viewer.accountId }
    const added = await writeDevices(db, [`account:${viewer.accountId}`], async (tx) => {
      requireRoom('contacts', await countContacts(tx, viewer.accountId))
      const inserted = await insertContact(tx, contact)
      if (inserted && asksContacts) await askNewContact(tx, inserted, clock.now())
      return inserted
    })
    if (!added) throw new Failure('contact_exists')
    return getContact(db.read, viewer, added.id)
  },

  async update({ params, body }, { db, viewer, clock, asksContacts }) {
    const changed = await writeDevices(db, [`account:${viewer.accountId}`], async (tx) => {
      const known = await findVisibleContact(tx, viewer, params.id)
      if (!known) throw new Failure('not_found')
      const { stoppedAt: _, isAsked: _isAsked, ...stored } = known
      const contact = { ...stored, ...body, ...('phone' in body && { phone: body.phone || null }) }
      if (!(await updateContact(tx, contact))) throw new Failure('contact_exists')
      if (asksContacts && contact.email !== known.email) await askNewContact(tx, contact, clock.now())
      return contact
    })
    return getContact(db.read, viewer, changed.id)
  },

  async askAgain({ params }, { db, viewer, clock }) {
    const contact = await findVisibleContact(db.read, viewer, params.id)
    if (!contact) throw new Failure('not_found')
    await askContact({ db, clock }, contact)
    return presentContact(contact)
  },

  async remove({ params: { id } }, { db, viewer, clock }) {
    const deletedAlerts = await writeDevices(db, [`account:${viewer.accountId}`], async (tx) => {
      if (!(await findVisibleContact(tx, viewer, id))) throw new Failure('not_found')
      const alertIds = await removeAlertsOfContact(tx, id, clock.now())
      await removeContact(tx, id)
      return alertIds
    })
    return { id, deleted_alerts: deletedAlerts }
  },
}

async function getContact(db: DbReader, viewer: Viewer, id: number) {
  const contact = await findVisibleContact(db, viewer, id)
  if (!contact) throw new Failure('not_found')
  return presentContact(contact)
}

const presentContact = ({ id, name, email, phone, stoppedAt, isAsked }: ContactRow): Contact => ({
  id,
  name,
  email,
  phone,
  ...(stoppedAt && { [isAsked ? 'mail_asked_at' : 'mail_stopped_at']: formatInstant(stoppedAt) }),
})
