import type { Language } from '#contracts/lib/constants.ts'
import type { users } from '#db/schema/accounts.ts'
import type { Tx } from '#db/sqlite/open.ts'
import { insertMail } from './mail-outbox.store.ts'

/** What each mail is about. Everything is text; instants are ISO 8601, `device` is an id. */
export type MailData = {
  confirm_email: { key: string }
  password_reset: { key: string }
  password_changed: { datetime: string }
  /** To the new address. */
  change_email: { key: string }
  /** To the address that is to be left. */
  change_notice: { datetime: string }
  invitation: { key: string; inviter: string }
  place_alert: { type: 'place_enter' | 'place_leave'; tracker: string; place: string; address?: string; datetime: string }
  vehicle_alert: { tracker: string; address?: string; datetime: string }
  low_battery: { tracker: string; device: string; datetime: string }
  /** `datetime`: its last instant. */
  subscription_ended: { tracker: string; datetime: string }
  /** `amount` in minor units. */
  payment_failed: { amount: string; currency: string; datetime: string }
  network_lost: { tracker: string; device: string; datetime: string }
  tracker_removed: { tracker: string; identifier: string }
  unlink_accepted: { reference: string; identifier: string }
  /** Months of the subscription that the code links, and those it has on top for free. */
  subscription_code: { code: string; months: string; extra?: string }
}

export type MailTemplate = keyof MailData

type Mail<T extends MailTemplate> = {
  to: string
  template: T
  language: Language
  /** IANA name of the zone in which it tells the time; UTC when it is not known. */
  timeZone?: string | null
  /** Whose account it is about: the mail goes with them. */
  userId?: number | null
  data: MailData[T]
  now: Date
}

/** How mails about somebody's account are worded, and whose they are. */
export const wordedFor = ({ id, language, timeZone }: Pick<typeof users.$inferSelect, 'id' | 'language' | 'timeZone'>) => ({
  userId: id,
  language,
  timeZone,
})

/** Puts a mail into the outbox, in the transaction of the change that causes it; it is worded when it is sent or shown. */
export const queueMail = <T extends MailTemplate>(tx: Tx, { now, ...mail }: Mail<T>) => insertMail(tx, { ...mail, createdAt: now })
