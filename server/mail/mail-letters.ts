import { CURRENCIES, EMAIL_KEY_HOURS, NETWORK_SILENCE_DAYS } from '#contracts/lib/constants.ts'
import { formatPrice } from '#contracts/rules/price.ts'
import type { MailData, MailTemplate } from './mail.ts'
import { keyed, plain, type Reader, titled, whenAndWhere } from './mail-parts.ts'
import { speak } from './mail-words.ts'

/** The content of a mail before layout. */
export type Letter = {
  /** The heading, with long names shortened. */
  subject: string
  heading: string
  paragraphs: string[]
  /** To be copied by hand. */
  code?: string
  /** Undefined once the key in its URL is deleted. */
  action?: { label: string; url: string } | undefined
  facts: { label: string; value: string }[]
  notes: string[]
}

type Told<T extends MailTemplate> = Reader & { data: Partial<MailData[T]>; origin: string }

const HOURS_A_DAY = 24

/** One function per template; missing data is left out of the text. */
const letters: { [T in MailTemplate]: (told: Told<T>) => Letter } = {
  confirm_email: ({ say, data, origin }) => ({
    ...titled(say, 'confirm_email.subject'),
    paragraphs: [say('confirm_email.text')],
    action: keyed(say('confirm_email.action'), `${origin}/account_confirmation?key=`, data.key),
    facts: [],
    notes: [say('layout.once', { count: EMAIL_KEY_HOURS.confirm }), say('confirm_email.ignore')],
  }),
  password_reset: ({ say, data, origin }) => ({
    ...titled(say, 'password_reset.subject'),
    paragraphs: [say('password_reset.text')],
    action: keyed(say('password_reset.action'), `${origin}/login?view=reset_password&key=`, data.key),
    facts: [],
    notes: [say('layout.once', { count: EMAIL_KEY_HOURS.reset }), say('password_reset.ignore')],
  }),
  password_changed: (told) => ({
    ...titled(told.say, 'password_changed.subject'),
    paragraphs: [told.say('password_changed.text')],
    action: askForPassword(told),
    facts: whenAndWhere(told, told.data),
    notes: [told.say('password_changed.ignore')],
  }),
  change_email: ({ say, data, origin }) => ({
    ...titled(say, 'change_email.subject'),
    paragraphs: [say('change_email.text')],
    action: keyed(say('change_email.action'), `${origin}/account_email_update_complete?key=`, data.key),
    facts: [],
    notes: [say('layout.once', { count: EMAIL_KEY_HOURS.change }), say('change_email.ignore')],
  }),
  change_notice: (told) => ({
    ...titled(told.say, 'change_notice.subject'),
    paragraphs: [told.say('change_notice.text')],
    action: askForPassword(told),
    facts: whenAndWhere(told, told.data),
    notes: [told.say('change_notice.ignore')],
  }),
  invitation: ({ say, data: { inviter = '', key }, origin }) => ({
    ...titled(say, 'invitation.subject', { inviter }),
    paragraphs: [say('invitation.text')],
    action: keyed(say('invitation.action'), `${origin}/login?view=reset_password&key=`, key),
    facts: [],
    notes: [say('layout.onceDays', { count: EMAIL_KEY_HOURS.invitation / HOURS_A_DAY }), say('invitation.ignore', { inviter })],
  }),
  place_alert: (told) => ({
    ...titled(told.say, told.data.type === 'place_leave' ? 'place_alert.place_leave' : 'place_alert.place_enter', named(told.data)),
    paragraphs: [],
    facts: whenAndWhere(told, told.data),
    notes: [told.say('layout.contact')],
  }),
  vehicle_alert: (told) => ({
    ...titled(told.say, 'vehicle_alert.subject', named(told.data)),
    paragraphs: [told.say('vehicle_alert.text')],
    facts: whenAndWhere(told, told.data),
    notes: [told.say('layout.contact')],
  }),
  low_battery: (told) => ({
    ...titled(told.say, 'low_battery.subject', named(told.data)),
    paragraphs: [told.say('low_battery.text')],
    action: keyed(told.say('low_battery.action'), `${told.origin}/trackers/`, told.data.device),
    facts: whenAndWhere(told, told.data),
    notes: [],
  }),
  subscription_ended: (told) => ({
    ...titled(told.say, 'subscription_ended.subject', named(told.data)),
    paragraphs: [told.say('subscription_ended.text')],
    action: { label: told.say('subscription_ended.action'), url: `${told.origin}/subscription` },
    facts: whenAndWhere(told, told.data),
    notes: [],
  }),
  payment_failed: (told) => ({
    ...titled(told.say, 'payment_failed.subject'),
    paragraphs: [told.say('payment_failed.text')],
    action: { label: told.say('payment_failed.action'), url: `${told.origin}/invoices` },
    facts: [...amountOf(told), ...whenAndWhere(told, told.data)],
    notes: [],
  }),
  network_lost: (told) => ({
    ...titled(told.say, 'network_lost.subject', named(told.data)),
    paragraphs: [told.say('network_lost.text', { days: NETWORK_SILENCE_DAYS })],
    action: keyed(told.say('network_lost.action'), `${told.origin}/network_activate?id=`, told.data.device),
    facts: whenAndWhere(told, told.data),
    notes: [],
  }),
  tracker_removed: ({ say, data: { tracker = '', identifier = '' }, origin }) => ({
    ...titled(say, 'tracker_removed.subject'),
    paragraphs: [say('tracker_removed.text', { tracker, identifier })],
    action: { label: say('tracker_removed.action'), url: `${origin}/contact_us` },
    facts: [],
    notes: [say('tracker_removed.ignore')],
  }),
  unlink_accepted: ({ say, data: { reference = '', identifier = '' }, origin }) => ({
    ...titled(say, 'unlink_accepted.subject'),
    paragraphs: [say('unlink_accepted.text', { identifier })],
    action: { label: say('unlink_accepted.action'), url: `${origin}/trackers/add` },
    facts: [{ label: say('unlink_accepted.reference'), value: reference }],
    notes: [],
  }),
  subscription_code: ({ say, data, origin }) => ({
    ...titled(say, 'subscription_code.subject'),
    paragraphs: [say('subscription_code.text'), say('subscription_code.covers', { count: Number(data.months) + Number(data.extra ?? 0) })],
    code: data.code ?? '',
    action: keyed(say('subscription_code.action'), `${origin}/link_subscription?code=`, data.code),
    facts: [],
    notes: [],
  }),
}

/** Mails of an unknown template, such as one of an older release, have a generic text. */
export function letterOf(template: string, told: Omit<Told<never>, 'say' | 'data'> & { data: Record<string, string> }): Letter {
  const write = Object.hasOwn(letters, template) ? letters[template as MailTemplate] : undefined
  if (!write) return { subject: template, heading: template, paragraphs: [], facts: [], notes: [] }
  return write({ ...told, say: speak(told.language), data: plain(told.data) })
}

/** The amount in the recipient's format; undefined when the data is not an amount. */
function amountOf({ say, language, data: { amount = '', currency } }: Told<'payment_failed'>) {
  const known = CURRENCIES.find((one) => one === currency)
  return known && /^\d+$/.test(amount) ? [{ label: say('payment_failed.amount'), value: formatPrice(Number(amount), known, language) }] : []
}

const named = ({ tracker = '', place = '' }: { tracker?: string; place?: string }) => ({ tracker, place })

/** For recipients who did not ask for the mail. */
const askForPassword = ({ say, origin }: Pick<Told<never>, 'say' | 'origin'>) => ({
  label: say('password_reset.action'),
  url: `${origin}/login?view=reset_password`,
})
