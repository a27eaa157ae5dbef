import i18next from 'i18next'
import { CURRENCIES, EMAIL_KEY_HOURS, type Language, NETWORK_SILENCE_DAYS } from '#contracts/lib/constants.ts'
import { formatPrice } from '#contracts/rules/price.ts'
import { isTimeZone } from '#contracts/rules/time.ts'
import type { MailData, MailTemplate } from './mail-outbox.store.ts'

/** Longest subject in characters: what mail programs show. */
const SUBJECT_LENGTH = 78

/** The recipient's language, and the IANA name of their time zone when it is known. */
export type Recipient = { t: Translate; language: Language; timeZone: string | null }

const graphemes = new Intl.Segmenter()
const splitGraphemes = (text: string) => [...graphemes.segment(text)].map(({ segment }) => segment)

/** The heading with full names, and the subject, in which long names end in an ellipsis. */
function buildTitle(t: Translate, key: MailKey, names: Record<string, string> = {}) {
  const heading = t(key, names)
  const short = Object.fromEntries(Object.entries(names).map(([name, text]) => [name, splitGraphemes(text)]))
  const shown = () => t(key, Object.fromEntries(Object.entries(short).map(([name, text]) => [name, text.join('')])))
  for (let subject = heading; ; subject = shown()) {
    const excess = [...subject].length - SUBJECT_LENGTH
    const [longest] = Object.values(short).sort((a, b) => b.length - a.length)
    if (excess <= 0 || !longest || longest.length < 2) return { heading, subject }
    longest.splice(-2, 2, '…')
  }
}

/** The link of a mail; undefined once its key is deleted. */
const buildAction = (label: string, url: string, key: string | undefined) =>
  key ? { label, url: url + encodeURIComponent(key) } : undefined

/** When and where something happened, as far as known. */
function presentTimeAndPlace({ t, language, timeZone }: Recipient, { address, datetime }: { address?: string; datetime?: string }) {
  const isKnown = datetime !== undefined && !Number.isNaN(Date.parse(datetime))
  const time = isKnown ? [{ label: t('layout.time'), value: formatTime(language, timeZone, datetime) }] : []
  return [...time, ...(address ? [{ label: t('layout.address'), value: address }] : [])]
}

const formatTime = (language: Language, timeZone: string | null, instant: string) =>
  // English mails name the month after the day and count 24 hours, as the portal does outside of the USA.
  new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: timeZone !== null && isTimeZone(timeZone) ? timeZone : 'UTC',
    timeZoneName: 'long',
  }).format(new Date(instant))

/** Collapses line breaks, so that no name can add a header to a mail. */
const stripControlCharacters = (data: Record<string, string>) =>
  Object.fromEntries(Object.entries(data).map(([name, value]) => [name, String(value).replace(/\p{Cc}+/gu, ' ')]))

import cs from '#locales/cs/mail.json' with { type: 'json' }
import de from '#locales/de/mail.json' with { type: 'json' }
import en from '#locales/en/mail.json' with { type: 'json' }
import es from '#locales/es/mail.json' with { type: 'json' }
import fi from '#locales/fi/mail.json' with { type: 'json' }
import fr from '#locales/fr/mail.json' with { type: 'json' }
import hu from '#locales/hu/mail.json' with { type: 'json' }
import it from '#locales/it/mail.json' with { type: 'json' }
import ja from '#locales/ja/mail.json' with { type: 'json' }
import nl from '#locales/nl/mail.json' with { type: 'json' }
import pt from '#locales/pt/mail.json' with { type: 'json' }
import sv from '#locales/sv/mail.json' with { type: 'json' }

type Leaves<T, Path extends string = ''> = {
  [K in keyof T & string]: T[K] extends string ? `${Path}${K}` : Leaves<T[K], `${Path}${K}.`>
}[keyof T & string]
type WithoutForm<Key> = Key extends `${infer Base}_one` | `${infer Base}_other` ? Base : Key

/** Every key of the English file without its plural suffix; `count` picks the plural form. */
export type MailKey = WithoutForm<Leaves<typeof en>>
export type Translate = (key: MailKey, values?: Record<string, string | number>) => string

const NS = 'mail'
const words = { en, fr, de, es, it, nl, pt, sv, fi, hu, cs, ja }

const i18n = i18next.createInstance({
  lng: 'en',
  fallbackLng: 'en',
  ns: NS,
  defaultNS: NS,
  resources: Object.fromEntries(Object.entries(words).map(([language, mail]) => [language, { [NS]: mail }])),
  initAsync: false,
  interpolation: { escapeValue: false, skipOnVariables: true },
})
void i18n.init()

/** Returns the translate function of a language. Values are inserted as they are: HTML must be escaped by the caller. */
export function createTranslate(language: Language): Translate {
  const t = i18n.getFixedT(language) as (key: string, values?: object) => string
  return (key, values) => t(key, values)
}

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
  /** Text for those who do not see the picture of the map. */
  map?: string | undefined
  notes: string[]
}

type LetterInput<T extends MailTemplate> = Recipient & {
  data: Partial<MailData[T]>
  origin: string
  /** Page on which a contact allows alert mails again. */
  allowUrl?: string | undefined
}

const HOURS_A_DAY = 24

const letters: { [T in MailTemplate]: (input: LetterInput<T>) => Letter } = {
  confirm_email: ({ t, data, origin }) => ({
    ...buildTitle(t, 'confirm_email.subject'),
    paragraphs: [t('confirm_email.text')],
    action: buildAction(t('confirm_email.action'), `${origin}/account_confirmation?key=`, data.key),
    facts: [],
    notes: [t('layout.once', { count: EMAIL_KEY_HOURS.confirm }), t('confirm_email.ignore')],
  }),
  password_reset: ({ t, data, origin }) => ({
    ...buildTitle(t, 'password_reset.subject'),
    paragraphs: [t('password_reset.text')],
    action: buildAction(t('password_reset.action'), `${origin}/login?view=reset_password&key=`, data.key),
    facts: [],
    notes: [t('layout.once', { count: EMAIL_KEY_HOURS.reset }), t('password_reset.ignore')],
  }),
  password_changed: (input) => ({
    ...buildTitle(input.t, 'password_changed.subject'),
    paragraphs: [input.t('password_changed.text')],
    action: passwordResetAction(input),
    facts: presentTimeAndPlace(input, input.data),
    notes: [input.t('password_changed.ignore')],
  }),
  change_email: ({ t, data, origin }) => ({
    ...buildTitle(t, 'change_email.subject'),
    paragraphs: [t('change_email.text')],
    action: buildAction(t('change_email.action'), `${origin}/account_email_update_complete?key=`, data.key),
    facts: [],
    notes: [t('layout.once', { count: EMAIL_KEY_HOURS.change }), t('change_email.ignore')],
  }),
  change_notice: (input) => ({
    ...buildTitle(input.t, 'change_notice.subject'),
    paragraphs: [input.t('change_notice.text')],
    action: passwordResetAction(input),
    facts: presentTimeAndPlace(input, input.data),
    notes: [input.t('change_notice.ignore')],
  }),
  new_sign_in: (input) => ({
    ...buildTitle(input.t, 'new_sign_in.subject'),
    paragraphs: [input.t('new_sign_in.text')],
    action: { label: input.t('new_sign_in.action'), url: `${input.origin}/account/security` },
    facts: [...presentTimeAndPlace(input, input.data), ...presentBrowser(input)],
    notes: [input.t('new_sign_in.ignore')],
  }),
  invitation: ({ t, data: { inviter = '', key }, origin }) => ({
    ...buildTitle(t, 'invitation.subject', { inviter }),
    paragraphs: [t('invitation.text')],
    action: buildAction(t('invitation.action'), `${origin}/login?view=reset_password&key=`, key),
    facts: [],
    notes: [t('layout.onceDays', { count: EMAIL_KEY_HOURS.invitation / HOURS_A_DAY }), t('invitation.ignore', { inviter })],
  }),
  place_alert: (input) => ({
    ...buildTitle(
      input.t,
      input.data.type === 'place_leave' ? 'place_alert.place_leave' : 'place_alert.place_enter',
      pickOwnedNames(input),
    ),
    paragraphs: [],
    ...presentMap(input),
    facts: presentTimeAndPlace(input, input.data),
    notes: [input.t('layout.contact')],
  }),
  vehicle_alert: (input) => ({
    ...buildTitle(input.t, 'vehicle_alert.subject', pickOwnedNames(input)),
    paragraphs: [input.t('vehicle_alert.text')],
    ...presentMap(input),
    facts: presentTimeAndPlace(input, input.data),
    notes: [input.t('layout.contact')],
  }),
  allow_alerts: ({ t, data: { owner = '' }, allowUrl }) => ({
    ...buildTitle(t, 'allow_alerts.subject', { owner }),
    paragraphs: [t('allow_alerts.text', { owner })],
    action: allowUrl === undefined ? undefined : { label: t('allow_alerts.action'), url: allowUrl },
    facts: [],
    notes: [t('allow_alerts.ignore')],
  }),
  low_battery: (input) => ({
    ...buildTitle(input.t, 'low_battery.subject', pickNames(input.data)),
    paragraphs: [input.t('low_battery.text')],
    action: buildAction(input.t('low_battery.action'), `${input.origin}/trackers/`, input.data.device),
    facts: presentTimeAndPlace(input, input.data),
    notes: [],
  }),
  subscription_ended: (input) => ({
    ...buildTitle(input.t, 'subscription_ended.subject', pickNames(input.data)),
    paragraphs: [input.t('subscription_ended.text')],
    action: { label: input.t('subscription_ended.action'), url: `${input.origin}/subscription` },
    facts: presentTimeAndPlace(input, input.data),
    notes: [],
  }),
  payment_failed: (input) => ({
    ...buildTitle(input.t, 'payment_failed.subject'),
    paragraphs: [input.t('payment_failed.text')],
    action: { label: input.t('payment_failed.action'), url: `${input.origin}/invoices` },
    facts: [...presentAmount(input), ...presentTimeAndPlace(input, input.data)],
    notes: [],
  }),
  network_lost: (input) => ({
    ...buildTitle(input.t, 'network_lost.subject', pickNames(input.data)),
    paragraphs: [input.t('network_lost.text', { days: NETWORK_SILENCE_DAYS })],
    action: buildAction(input.t('network_lost.action'), `${input.origin}/network_activate?id=`, input.data.device),
    facts: presentTimeAndPlace(input, input.data),
    notes: [],
  }),
  tracker_removed: ({ t, data: { tracker = '', identifier = '' }, origin }) => ({
    ...buildTitle(t, 'tracker_removed.subject'),
    paragraphs: [t('tracker_removed.text', { tracker, identifier })],
    action: { label: t('tracker_removed.action'), url: `${origin}/contact_us` },
    facts: [],
    notes: [t('tracker_removed.ignore')],
  }),
  unlink_accepted: ({ t, data: { reference = '', identifier = '' }, origin }) => ({
    ...buildTitle(t, 'unlink_accepted.subject'),
    paragraphs: [t('unlink_accepted.text', { identifier })],
    action: { label: t('unlink_accepted.action'), url: `${origin}/trackers/add` },
    facts: [{ label: t('unlink_accepted.reference'), value: reference }],
    notes: [],
  }),
  subscription_code: ({ t, data, origin }) => ({
    ...buildTitle(t, 'subscription_code.subject'),
    paragraphs: [t('subscription_code.text'), t('subscription_code.covers', { count: Number(data.months) + Number(data.extra ?? 0) })],
    code: data.code ?? '',
    action: buildAction(t('subscription_code.action'), `${origin}/link_subscription?code=`, data.code),
    facts: [],
    notes: [],
  }),
}

/** Mails of an unknown template, such as one of an older release, have a generic text. */
export function buildLetter(template: string, input: Omit<LetterInput<never>, 't' | 'data'> & { data: Record<string, string> }): Letter {
  const write = Object.hasOwn(letters, template) ? letters[template as MailTemplate] : undefined
  if (!write) return { subject: template, heading: template, paragraphs: [], facts: [], notes: [] }
  return write({ ...input, t: createTranslate(input.language), data: stripControlCharacters(input.data) })
}

/** The amount in the recipient's format; undefined when the data is not an amount. */
function presentAmount({ t, language, data: { amount = '', currency } }: LetterInput<'payment_failed'>) {
  const known = CURRENCIES.find((one) => one === currency)
  return known && /^\d+$/.test(amount) ? [{ label: t('payment_failed.amount'), value: formatPrice(Number(amount), known, language) }] : []
}

const presentBrowser = ({ t, data: { agent, place } }: LetterInput<'new_sign_in'>) => [
  ...(agent ? [{ label: t('new_sign_in.browser'), value: agent }] : []),
  ...(place ? [{ label: t('new_sign_in.network'), value: place }] : []),
]

const pickNames = ({ tracker = '', place = '' }: { tracker?: string; place?: string }) => ({ tracker, place })

type AlertInput = Recipient & {
  data: { tracker?: string; place?: string; owner?: string; lat?: string; device?: string }
  origin: string
}

/** The tracker is named with its owner in mails to others. */
const pickOwnedNames = ({ t, data }: AlertInput) => {
  const { tracker = '', owner } = data
  return { ...pickNames(data), ...(owner && { tracker: t('layout.owned', { tracker, owner }) }) }
}

const presentMap = ({ t, data: { tracker = '', lat, device }, origin }: AlertInput) => ({
  map: lat === undefined ? undefined : t('layout.mapOf', { tracker }),
  // A public link would show others more than this one place, so only the owner gets a button.
  action: buildAction(t('layout.openMap'), `${origin}/trackers/`, device),
})

/** For recipients who did not ask for the mail. */
const passwordResetAction = ({ t, origin }: Pick<LetterInput<never>, 't' | 'origin'>) => ({
  label: t('password_reset.action'),
  url: `${origin}/login?view=reset_password`,
})
