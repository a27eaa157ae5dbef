import type { Language } from '#contracts/constants.ts'
import type { Tx } from '#db/open.ts'
import { insertMail } from '#server/lib/mail-outbox/store.ts'

/** What each mail is about. Everything is text; instants are ISO 8601, `device` is an id. */
export type MailData = {
  confirm_email: { key: string }
  password_reset: { key: string }
  place_alert: { type: 'place_enter' | 'place_leave'; tracker: string; place: string; address?: string; datetime: string }
  vehicle_alert: { tracker: string; address?: string; datetime: string }
  low_battery: { tracker: string; device: string; datetime: string }
  /** Months of the subscription that the code links, and those it has on top for free. */
  subscription_code: { code: string; months: string; extra?: string }
}

export type MailTemplate = keyof MailData

type Mail<T extends MailTemplate> = { to: string; template: T; language: Language; data: MailData[T]; now: Date }

/** Puts a mail into the outbox, in the transaction of the change that causes it; it is worded when it is sent or shown. */
export const queueMail = <T extends MailTemplate>(tx: Tx, { now, ...mail }: Mail<T>) => insertMail(tx, { ...mail, createdAt: now })
