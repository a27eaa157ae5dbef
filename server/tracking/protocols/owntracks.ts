import * as z from 'zod/mini'
import { isNullIsland } from '#contracts/rules/reading/coordinate.ts'
import { lacksFix } from '#contracts/rules/reading/validity.ts'
import { parseInput } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import { batteryPercent, type Fix, Lat, Lng, lenient, Numeric, type Report, readBatch, readMeasures, Timestamp } from './report.ts'

const Messages = z.array(z.looseObject({ _type: z.string() }))

const Optional = lenient(Numeric)
const PositionFields = z.object({
  lat: Lat,
  lon: Lng,
  tst: Timestamp,
  acc: Optional,
  vel: Optional,
  cog: Optional,
  alt: Optional,
})
const BatteryField = z.object({ batt: Optional })

/**
 * Reads OwnTracks messages (docs/devices.md). Locations and transitions are positions; our own places determine which one was entered. Null
 * when no message is relevant; then the app only needs an acknowledgement.
 */
export function readOwnTracks(body: unknown, now: Date): Report | null {
  const messages = parseInput(Messages, Array.isArray(body) ? body : [body], 'validation_error')
  if (messages.some(({ _type }) => _type === 'encrypted')) throw encrypted()
  const located = messages.filter(({ _type }) => _type === 'location' || _type === 'transition')
  const last = located.at(-1)
  if (!last) return null
  const places = located.filter(({ _type, lat }) => _type === 'location' || lat !== undefined)
  const batch = readBatch(places, { read: readFix, listFields: (message) => [message], findTime: ({ tst }) => tst, now })
  return { ...batch, battery: batteryPercent(parseInput(BatteryField, last, 'validation_error').batt) }
}

const encrypted = () =>
  new Failure('validation_error', {
    errors: { _type: ['Encrypted messages cannot be read here: remove the encryption key in the app'] },
    reason: 'encrypted',
  })

function readFix(message: Record<string, unknown>): Fix | 'no_fix' {
  const { lat, lon, tst, acc, vel, cog, alt } = parseInput(PositionFields, message, 'validation_error')
  if (isNullIsland({ lat, lng: lon }) || lacksFix(message)) return 'no_fix'
  return { lat, lng: lon, datetime: tst, ...readMeasures({ accuracy: acc, speed: vel, course: cog, altitude: alt }, [message]) }
}
