import * as z from 'zod/mini'
import { Latitude, Longitude } from '#contracts/lib/common.ts'
import { parseInput } from '#server/http/serve.ts'
import { invalidField } from '#server/lib/errors.ts'
import { batteryPercent, type Fix, fixPrecision, lenient, type Report, Timestamp } from './report.ts'

const Messages = z.array(z.looseObject({ _type: z.string() })).check(z.maxLength(1000))

const PositionFields = z.object({ lat: Latitude, lon: Longitude, tst: Timestamp, acc: lenient(z.number()) })
const BatteryField = z.object({ batt: lenient(z.number()) })

/**
 * Reads OwnTracks messages (docs/devices.md). Locations and transitions are positions; our own places decide what was entered. Null when no
 * message is relevant; the app only needs an acknowledgement then.
 */
export function readOwnTracks(body: unknown): Report | null {
  const messages = parseInput(Messages, Array.isArray(body) ? body : [body], 'validation_error')
  if (messages.some(({ _type }) => _type === 'encrypted'))
    throw invalidField('_type', 'Encrypted messages cannot be read here: remove the encryption key in the app')
  const located = messages.filter(({ _type }) => _type === 'location' || _type === 'transition')
  const last = located.at(-1)
  if (!last) return null
  const places = located.filter(({ _type, lat }) => _type === 'location' || lat !== undefined)
  return { positions: places.map(fixOf), battery: batteryPercent(parseInput(BatteryField, last, 'validation_error').batt) }
}

function fixOf(message: object): Fix {
  const { lat, lon, tst, acc } = parseInput(PositionFields, message, 'validation_error')
  return { lat, lng: lon, precision: fixPrecision(acc), datetime: tst }
}
