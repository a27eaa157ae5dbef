import * as z from 'zod/mini'
import { normalizeNetworkNumber } from '#contracts/rules/reading/network-number.ts'
import { readNumber } from '#contracts/rules/reading/number.ts'
import { invalidField } from '#server/lib/errors.ts'
import { fixPrecision, lenient } from '#server/tracking/protocols/report.ts'
import { type Fix, findCoordinates, parseBody, pickReceiptTime, type ReadUplink } from './uplink.ts'

const Text = lenient(z.union([z.string(), z.number()]))
const Location = lenient(z.looseObject({ lat: Text, lng: Text, radius: Text, status: Text }))

const Callback = z.looseObject({
  device: z.optional(z.string()),
  deviceId: z.optional(z.string()),
  time: Text,
  timestamp: Text,
  data: lenient(z.string()),
  seqNumber: Text,
  computedLocation: Location,
  location: Location,
})

/** Reads the callbacks of the Sigfox cloud: data, data advanced, geolocation and status, with variables under their own names. */
export const readSigfox: ReadUplink = (body, { now }) => {
  const sent = parseBody(Callback, body)
  const device = sent.device ?? sent.deviceId
  const number = normalizeNetworkNumber('sigfox', device ?? '')
  if (number === null) throw invalidField('device', 'Must be up to 8 hexadecimal digits')
  const time = sent.time ?? sent.timestamp
  const at = pickReceiptTime([time], now)
  // At the top, `lat` and `lng` are the base station's, rounded to degrees, and `time` is the network's.
  const { lat: _lat, lng: _lng, time: _time, timestamp: _timestamp, computedLocation, location, ...variables } = sent
  const located = locate(computedLocation ?? location, at)
  return {
    numbers: [{ kind: 'sigfox', value: number }],
    // Data and geolocation of one message arrive in two callbacks.
    id: time === undefined ? null : `${sent.seqNumber ?? ''} ${time} ${located ? 'located' : 'data'}`,
    at,
    isHeard: true,
    decoded: variables,
    payload: sent.data && /^([0-9a-f]{2})+$/i.test(sent.data) ? sent.data : undefined,
    located,
  }
}

/** The cloud's status is 1 for a location; 0 and 2 mean that there is no location. */
function locate(location: z.output<typeof Location>, at: string): Fix | undefined {
  if (!location || (location.status !== undefined && readNumber(location.status) !== 1)) return undefined
  const point = findCoordinates(location.lat, location.lng)
  return point && { ...point, precision: fixPrecision(readNumber(location.radius)), datetime: at }
}
