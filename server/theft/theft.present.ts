import type { Language } from '#contracts/lib/constants.ts'
import { formatIdentifier } from '#contracts/rules/text.ts'
import { personName } from '#contracts/rules/user.ts'
import type { Owner } from '#db/people.ts'
import { fromFixed7 } from '#db/positions.ts'
import type { DeviceRow } from '#db/scope.ts'
import type { ReportRow } from './theft.store.ts'
import { words } from './words.ts'

/** A null value is a line to write on. */
type Row = { label: string; value: string | null }
export type Section = { heading: string; rows: Row[]; note?: string }
export type Form = { language: Language; title: string; intro: string; sections: Section[]; issued: string }

type Facts = { device: DeviceRow; owner: Owner; report: ReportRow | undefined; now: Date }

const NONE = '–'
const COORDINATE_DIGITS = 5

/** The form as text, in the viewer's language; times are in UTC and say so. */
export function presentForm({ device, owner, report, now }: Facts, language: Language): Form {
  const say = words[language]
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
  const time = (date: Date) => `${format.format(date)} UTC`
  const row = (label: string, value: string | null | undefined): Row => ({ label, value: value || NONE })
  const blank = (label: string): Row => ({ label, value: null })
  return {
    language,
    title: say.title,
    intro: say.intro,
    sections: [
      {
        heading: say.owner,
        rows: [row(say.ownerName, personName(owner.firstName, owner.lastName, language)), row(say.email, owner.email)],
      },
      {
        heading: say.tracker,
        rows: [
          row(say.trackerName, device.name),
          row(say.kind, say.kinds[device.kind]),
          row(say.serial, device.serial),
          row(say.identifier, device.identifier && formatIdentifier(device.identifier)),
        ],
      },
      { heading: say.lastPosition, ...positionOf(device, language, time) },
      report
        ? {
            heading: say.report,
            rows: [
              row(say.reportDate, time(report.date)),
              row(say.reportPlace, report.address),
              row(say.description, report.description),
              row(say.policeReference, report.policeReference),
            ],
          }
        : { heading: say.report, rows: [], note: say.noReport },
      {
        heading: say.police,
        rows: [say.station, say.officer, say.caseNumber, say.receivedOn, say.signatureAndStamp, say.ownerSignature].map(blank),
      },
    ],
    issued: say.issued.replace('{{date}}', time(now)),
  }
}

function positionOf(device: DeviceRow, language: Language, time: (date: Date) => string): Omit<Section, 'heading'> {
  const say = words[language]
  const { lat, lng, precision, positionAt, address } = device
  if (lat === null || lng === null || !positionAt) return { rows: [], note: say.noPosition }
  const degrees = (scaled: number) => fromFixed7(scaled).toFixed(COORDINATE_DIGITS)
  return {
    rows: [
      { label: say.coordinates, value: `${degrees(lat)}, ${degrees(lng)}` },
      { label: say.accuracy, value: precision === null ? NONE : say.metres.replace('{{n}}', String(precision)) },
      { label: say.positionTime, value: time(positionAt) },
      { label: say.address, value: address ?? NONE },
    ],
  }
}
