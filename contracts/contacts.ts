import * as z from 'zod/mini'
import { Id, IdParams, Instant } from '#contracts/lib/common.ts'
import { rights } from '#contracts/lib/rights.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { Email, Phone, Text } from '#contracts/rules/reading/text-fields.ts'

/** A person outside the account who receives alert mails and has no login. */
export const Contact = z.object({
  id: Id,
  name: z.string(),
  email: z.string(),
  phone: z.nullable(z.string()),
  /** Time when this person unsubscribed from the account's alert mails by the link in each of them. */
  mail_stopped_at: z.optional(Instant),
  /** Time when this person was asked whether the account may send alert mails, which it does not before the person agrees. */
  mail_asked_at: z.optional(Instant),
})
export type Contact = z.infer<typeof Contact>

const fields = { name: Text(1, TEXT_LENGTH.personName), email: Email, phone: z.nullable(Phone) }

const NewContact = z.object({ ...fields, phone: z.optional(fields.phone) })

export const contacts = {
  list: {
    method: 'GET',
    path: '/tracker_contacts/',
    summary: 'Lists the contacts of the account by name',
    access: rights.readPlaces,
    scope: 'contacts:read',
    response: { 200: z.array(Contact) },
    safety: 'read',
    provenance: 'assumed',
  },
  create: {
    method: 'POST',
    path: '/tracker_contacts/',
    summary: 'Creates a contact; e-mail addresses are unique per account, ignoring case. Some servers ask the person by mail first',
    access: rights.changePlaces,
    scope: 'contacts:write',
    body: NewContact,
    response: { 201: Contact },
    errors: ['contact_exists', 'limit_reached'],
    safety: 'reversible',
    provenance: 'assumed',
  },
  update: {
    method: 'PATCH',
    path: '/tracker_contacts/:id/',
    summary: 'Changes a contact; omitted fields keep their value',
    access: rights.changePlaces,
    scope: 'contacts:write',
    params: IdParams,
    body: z.partial(z.object(fields)),
    response: { 200: Contact },
    errors: ['contact_exists'],
    safety: 'reversible',
    provenance: 'assumed',
  },
  askAgain: {
    method: 'POST',
    path: '/tracker_contacts/:id/ask_again/',
    summary: 'Mails a contact who stopped alert mails, or has not agreed to them, a link that allows them, once a day; only that link does',
    access: rights.changePlaces,
    scope: 'contacts:write',
    params: IdParams,
    response: { 200: Contact },
    errors: ['no_change', 'email_unconfirmed'],
    safety: 'destructive',
    provenance: 'ours',
  },
  remove: {
    method: 'DELETE',
    path: '/tracker_contacts/:id/',
    summary: 'Removes a contact, and the alerts that would have no recipient left',
    access: rights.changePlaces,
    scope: 'contacts:write',
    params: IdParams,
    response: { 200: z.object({ id: Id, deleted_alerts: z.array(Id) }) },
    safety: 'destructive',
    provenance: 'assumed',
  },
} as const satisfies Contract
