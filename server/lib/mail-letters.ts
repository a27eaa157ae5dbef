import { EMAIL_KEY_HOURS, type Language } from '#contracts/constants.ts'
import type { MailData, MailTemplate } from './mail.ts'
import { type Say, speak } from './mail-words.ts'

/** What a mail says, before it is laid out. */
export type Letter = {
  subject: string
  paragraphs: string[]
  /** To be copied by hand. */
  code?: string
  /** Absent once the key in it is forgotten. */
  action?: { label: string; url: string } | undefined
  facts: { label: string; value: string }[]
  notes: string[]
}

type Told<T extends MailTemplate> = { say: Say; data: Partial<MailData[T]>; language: Language; origin: string }

/** One per template: what was not handed over is left out. */
const letters: { [T in MailTemplate]: (told: Told<T>) => Letter } = {
  confirm_email: ({ say, data, origin }) => ({
    subject: say('confirm_email.subject'),
    paragraphs: [say('confirm_email.text')],
    action: keyed(say('confirm_email.action'), `${origin}/account_confirmation?key=`, data.key),
    facts: [],
    notes: [say('layout.once', { count: EMAIL_KEY_HOURS.confirm }), say('confirm_email.ignore')],
  }),
  password_reset: ({ say, data, origin }) => ({
    subject: say('password_reset.subject'),
    paragraphs: [say('password_reset.text')],
    action: keyed(say('password_reset.action'), `${origin}/login?view=reset_password&key=`, data.key),
    facts: [],
    notes: [say('layout.once', { count: EMAIL_KEY_HOURS.reset }), say('password_reset.ignore')],
  }),
  place_alert: ({ say, data, language }) => ({
    subject: say(data.type === 'place_leave' ? 'place_alert.place_leave' : 'place_alert.place_enter', named(data)),
    paragraphs: [],
    facts: whenAndWhere(say, language, data),
    notes: [say('layout.contact')],
  }),
  vehicle_alert: ({ say, data, language }) => ({
    subject: say('vehicle_alert.subject', named(data)),
    paragraphs: [say('vehicle_alert.text')],
    facts: whenAndWhere(say, language, data),
    notes: [say('layout.contact')],
  }),
  low_battery: ({ say, data, language, origin }) => ({
    subject: say('low_battery.subject', named(data)),
    paragraphs: [say('low_battery.text')],
    action: keyed(say('low_battery.action'), `${origin}/trackers/`, data.device),
    facts: whenAndWhere(say, language, data),
    notes: [],
  }),
  subscription_code: ({ say, data, origin }) => ({
    subject: say('subscription_code.subject'),
    paragraphs: [say('subscription_code.text'), say('subscription_code.covers', { count: Number(data.months) + Number(data.extra ?? 0) })],
    code: data.code ?? '',
    action: keyed(say('subscription_code.action'), `${origin}/link_subscription?code=`, data.code),
    facts: [],
    notes: [],
  }),
}

/** The mail of a template that nobody knows, such as one of an older release, has no words. */
export function letterOf(template: string, told: Omit<Told<never>, 'say' | 'data'> & { data: Record<string, string> }): Letter {
  const write = Object.hasOwn(letters, template) ? letters[template as MailTemplate] : undefined
  if (!write) return { subject: template, paragraphs: [], facts: [], notes: [] }
  return write({ ...told, say: speak(told.language), data: plain(told.data) })
}

const named = ({ tracker = '', place = '' }: { tracker?: string; place?: string }) => ({ tracker, place })

const keyed = (label: string, url: string, key: string | undefined) => (key ? { label, url: url + encodeURIComponent(key) } : undefined)

type Happening = { address?: string; datetime?: string }

function whenAndWhere(say: Say, language: Language, { address, datetime }: Happening) {
  const isKnown = datetime !== undefined && !Number.isNaN(Date.parse(datetime))
  const time = isKnown ? [{ label: say('layout.time'), value: formatTime(language, datetime) }] : []
  return [...time, ...(address ? [{ label: say('layout.address'), value: address }] : [])]
}

/** In the reader's language, with the zone: we do not know theirs. */
const formatTime = (language: Language, instant: string) =>
  new Intl.DateTimeFormat(language, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: 'UTC',
    timeZoneName: 'short',
  }).format(new Date(instant))

/** Names are one line each, so that none can add a line to the head of a mail. */
const plain = (data: Record<string, string>) =>
  Object.fromEntries(Object.entries(data).map(([name, value]) => [name, String(value).replace(/\p{Cc}+/gu, ' ')]))
