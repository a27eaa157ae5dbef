import type { Language } from '#contracts/lib/languages.ts'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { formatIdentifier } from '#contracts/rules/reading/text.ts'
import { formatInstant, isTimeZone } from '#contracts/rules/time.ts'
import { KINDS } from '#contracts/rules/tracking/tracker.ts'
import { personName } from '#contracts/rules/user.ts'
import type { TheftReport } from '#contracts/theft.ts'
import type { Owner } from '#db/people.ts'
import { fromFixed7 } from '#db/positions.ts'
import type { DeviceRow } from '#db/scope.ts'
import cs from '#locales/cs/theft-form.json' with { type: 'json' }
import de from '#locales/de/theft-form.json' with { type: 'json' }
import en from '#locales/en/theft-form.json' with { type: 'json' }
import es from '#locales/es/theft-form.json' with { type: 'json' }
import fi from '#locales/fi/theft-form.json' with { type: 'json' }
import fr from '#locales/fr/theft-form.json' with { type: 'json' }
import hu from '#locales/hu/theft-form.json' with { type: 'json' }
import it from '#locales/it/theft-form.json' with { type: 'json' }
import ja from '#locales/ja/theft-form.json' with { type: 'json' }
import nl from '#locales/nl/theft-form.json' with { type: 'json' }
import pt from '#locales/pt/theft-form.json' with { type: 'json' }
import sv from '#locales/sv/theft-form.json' with { type: 'json' }
import type { ReportRow } from './theft.store.ts'

export type Words = typeof en

export const words: Record<Language, Words> = { en, fr, de, es, it, nl, pt, sv, fi, hu, cs, ja }

/** A null value is printed as an empty line to write on. */
type Row = { label: string; value: string | null }
export type Section = { heading: string; rows: Row[]; note?: string }
export type Form = {
  language: Language
  title: string
  intro: string
  /** Owner, tracker, last position, report, and the lines for the police. */
  sections: [Section, Section, Section, Section, Section]
  issued: string
  /** Caption of the map. */
  map: string
  /** Caption of the photo. */
  photo: string
  /** A public link of the tracker, drawn as a QR code. */
  live?: { url: string; label: string } | undefined
}

type Facts = { device: DeviceRow; owner: Owner; report: ReportRow | undefined; now: Date; liveUrl?: string | undefined }

const NONE = '–'
const COORDINATE_DIGITS = 5

/** The form as text, in the viewer's language; times are in the time zone of the account, with their offset from UTC. */
export function presentForm({ device, owner, report, now, liveUrl }: Facts, language: Language): Form {
  const texts = words[language]
  const time = createTimeFormat(language, owner.timeZone)
  const row = (label: string, value: string | null | undefined): Row => ({ label, value: value || NONE })
  const blank = (label: string): Row => ({ label, value: null })
  return {
    language,
    title: texts.title,
    intro: texts.intro,
    sections: [
      {
        heading: texts.owner,
        rows: [row(texts.ownerName, personName(owner.firstName, owner.lastName, language)), row(texts.email, owner.email)],
      },
      {
        heading: texts.tracker,
        rows: [
          row(texts.trackerName, device.name),
          row(texts.kind, texts.kinds[pickListed(KINDS, device.kind, 'other')]),
          row(texts.serial, device.serial),
          row(texts.identifier, device.identifier && formatIdentifier(device.identifier)),
        ],
      },
      { heading: texts.lastPosition, ...presentPosition(device, language, time) },
      report
        ? {
            heading: texts.report,
            rows: [
              row(texts.reportDate, time(report.date)),
              row(texts.reportPlace, report.address),
              row(texts.description, report.description),
              row(texts.policeReference, report.policeReference),
            ],
          }
        : { heading: texts.report, rows: [], note: texts.noReport },
      {
        heading: texts.police,
        rows: [texts.station, texts.officer, texts.caseNumber, texts.receivedOn, texts.signatureAndStamp, texts.ownerSignature].map(blank),
      },
    ],
    issued: texts.issued.replace('{{date}}', time(now)),
    map: texts.map,
    photo: texts.photo.replace('{{name}}', device.name),
    live: liveUrl ? { url: liveUrl, label: texts.live } : undefined,
  }
}

/** Formats `1 March 2026 at 08:00 (UTC-03:00)`. English dates contain the month's name, so that none can be misread. */
function createTimeFormat(language: Language, zone: string | null) {
  const timeZone = zone !== null && isTimeZone(zone) ? zone : 'UTC'
  const format = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, { dateStyle: 'long', timeStyle: 'short', timeZone })
  const offsets = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  return (date: Date) => {
    const offset = offsets.formatToParts(date).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT'
    return `${format.format(date)} (${offset.replace('+00:00', '').replace('GMT', 'UTC')})`
  }
}

function presentPosition(device: DeviceRow, language: Language, time: (date: Date) => string): Omit<Section, 'heading'> {
  const texts = words[language]
  const { lat, lng, precision, positionAt, address } = device
  if (lat === null || lng === null || !positionAt) return { rows: [], note: texts.noPosition }
  const degrees = (scaled: number) => fromFixed7(scaled).toFixed(COORDINATE_DIGITS)
  return {
    rows: [
      { label: texts.coordinates, value: `${degrees(lat)}, ${degrees(lng)}` },
      { label: texts.accuracy, value: precision === null ? NONE : texts.metres.replace('{{n}}', String(precision)) },
      { label: texts.positionTime, value: time(positionAt) },
      { label: texts.address, value: address ?? NONE },
    ],
  }
}

export const presentReport = (report: ReportRow): TheftReport => ({
  id: report.id,
  device: report.deviceId,
  date: formatInstant(report.date),
  address: report.address,
  description: report.description,
  police_reference: report.policeReference,
  status: report.status,
  created_at: formatInstant(report.createdAt),
  closed_at: report.closedAt && formatInstant(report.closedAt),
})
