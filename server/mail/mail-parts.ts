import type { Language } from '#contracts/lib/constants.ts'
import { isTimeZone } from '#contracts/rules/time.ts'
import type { MailKey, Translate } from './mail-words.ts'

/** Longest subject in characters: what mail programs show. */
const SUBJECT_LENGTH = 78

/** The recipient's language, and the IANA name of their time zone when it is known. */
export type Recipient = { t: Translate; language: Language; timeZone: string | null }

const graphemes = new Intl.Segmenter()
const splitGraphemes = (text: string) => [...graphemes.segment(text)].map(({ segment }) => segment)

/** The heading with full names, and the subject, in which long names end in an ellipsis. */
export function buildTitle(t: Translate, key: MailKey, names: Record<string, string> = {}) {
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
export const buildAction = (label: string, url: string, key: string | undefined) =>
  key ? { label, url: url + encodeURIComponent(key) } : undefined

/** When and where something happened, as far as known. */
export function presentTimeAndPlace({ t, language, timeZone }: Recipient, { address, datetime }: { address?: string; datetime?: string }) {
  const isKnown = datetime !== undefined && !Number.isNaN(Date.parse(datetime))
  const time = isKnown ? [{ label: t('layout.time'), value: formatTime(language, timeZone, datetime) }] : []
  return [...time, ...(address ? [{ label: t('layout.address'), value: address }] : [])]
}

const formatTime = (language: Language, timeZone: string | null, instant: string) =>
  new Intl.DateTimeFormat(language, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: timeZone !== null && isTimeZone(timeZone) ? timeZone : 'UTC',
    timeZoneName: 'short',
  }).format(new Date(instant))

/** Collapses line breaks, so that no name can add a header to a mail. */
export const stripControlCharacters = (data: Record<string, string>) =>
  Object.fromEntries(Object.entries(data).map(([name, value]) => [name, String(value).replace(/\p{Cc}+/gu, ' ')]))
