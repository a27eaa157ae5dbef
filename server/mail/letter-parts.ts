import type { Language } from '#contracts/lib/languages.ts'
import { isTimeZone } from '#contracts/rules/time.ts'
import type { MailData, MailTemplate } from '#server/outbox/outbox.store.ts'
import type { MailKey, Translate } from './mail-translate.ts'

export type Letter = {
  /** The heading, with long names shortened. */
  subject: string
  heading: string
  paragraphs: string[]
  /** A code to copy by hand. */
  code?: string
  /** Undefined once the key in its URL is deleted. */
  action?: { label: string; url: string } | undefined
  facts: { label: string; value: string }[]
  /** Alternative text for the picture of the map. */
  map?: string | undefined
  notes: string[]
}

export type LetterInput<T extends MailTemplate> = Recipient & {
  data: Partial<MailData[T]>
  origin: string
  /** Page on which a contact allows alert mails again. */
  allowUrl?: string | undefined
}

/** Longest subject in characters: what mail programs show. */
const SUBJECT_LENGTH = 78

/** The recipient's language, and the IANA name of their time zone when it is known. */
export type Recipient = { t: Translate; language: Language; timeZone: string | null }

const graphemes = new Intl.Segmenter()
const splitGraphemes = (text: string) => [...graphemes.segment(text)].map(({ segment }) => segment)

/** The heading with full names, and the subject, in which long names end in an ellipsis. */
export function buildTitle(t: Translate, key: MailKey, names: Record<string, string> = {}, values: Record<string, string> = {}) {
  const heading = t(key, { ...names, ...values })
  const short = Object.fromEntries(Object.entries(names).map(([name, text]) => [name, splitGraphemes(text)]))
  const shown = () => t(key, { ...values, ...Object.fromEntries(Object.entries(short).map(([name, text]) => [name, text.join('')])) })
  for (let subject = heading; ; subject = shown()) {
    const excess = [...subject].length - SUBJECT_LENGTH
    const [longest] = Object.values(short).sort((a, b) => b.length - a.length)
    if (excess <= 0 || !longest || longest.length < 2) return { heading, subject }
    longest.splice(-2, 2, '…')
  }
}

/** The link of a mail; undefined once its key is deleted. */
export const buildAction = (label: string, url: string, key: string | undefined) =>
  key ? { label, url: url + encodeURIComponent(key) } : undefined

/** When and where something happened, as far as known. */
export function presentTimeAndPlace({ t, language, timeZone }: Recipient, { address, datetime }: { address?: string; datetime?: string }) {
  const isKnown = datetime !== undefined && !Number.isNaN(Date.parse(datetime))
  const time = isKnown ? [{ label: t('layout.time'), value: formatTime(language, timeZone, datetime) }] : []
  return [...time, ...(address ? [{ label: t('layout.address'), value: address }] : [])]
}

/** A day in the recipient's time zone. */
export function formatDay({ language, timeZone }: Recipient, instant: string) {
  const at = new Date(instant)
  if (Number.isNaN(at.getTime())) return ''
  return new Intl.DateTimeFormat(formatLocale(language), { dateStyle: 'long', timeZone: pickTimeZone(timeZone) }).format(at)
}

/** English mails put the month after the day and use 24 hours, like the portal outside of the USA. */
/** The locale for dates and numbers of a language. */
export const formatLocale = (language: Language) => (language === 'en' ? 'en-GB' : language)

/** A time of a day of this year, in the recipient's time zone. */
export const formatMoment = ({ language, timeZone }: Pick<Recipient, 'language' | 'timeZone'>, instant: string) =>
  new Intl.DateTimeFormat(formatLocale(language), {
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: pickTimeZone(timeZone),
  }).format(new Date(instant))

/** Items of a mail, which are stored as JSON. Mails of another release may contain something else. */
export function parseItems<T extends { at: string }>(text = ''): T[] {
  try {
    const items: unknown = JSON.parse(text)
    return Array.isArray(items) ? items.filter((item) => !Number.isNaN(Date.parse(item?.at))) : []
  } catch {
    return []
  }
}

const pickTimeZone = (timeZone: string | null) => (timeZone !== null && isTimeZone(timeZone) ? timeZone : 'UTC')

const formatTime = (language: Language, timeZone: string | null, instant: string) =>
  new Intl.DateTimeFormat(formatLocale(language), {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: pickTimeZone(timeZone),
    timeZoneName: 'long',
  }).format(new Date(instant))

export const pickNames = ({ tracker = '', place = '' }: { tracker?: string; place?: string }) => ({ tracker, place })
