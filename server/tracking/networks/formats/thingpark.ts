import * as z from 'zod/mini'
import { readNumber } from '#contracts/rules/reading/number.ts'
import { invalidField } from '#server/lib/errors.ts'
import { fixPrecision, lenient } from '#server/tracking/protocols/report.ts'
import {
  type Fix,
  findCoordinates,
  isObject,
  Json,
  parseBody,
  parseDevEui,
  pickReceiptTime,
  type ReadUplink,
  readLorawanBattery,
} from './uplink.ts'

const Text = lenient(z.union([z.string(), z.number()]))

const Content = z.looseObject({
  DevEUI: z.string(),
  Time: z.string(),
  FCntUp: Text,
  payload_hex: lenient(z.string()),
  payload: lenient(Json),
  DevLAT: Text,
  DevLON: Text,
  DevLocRadius: Text,
  DevLocTime: Text,
  BatteryLevel: Text,
  Type: lenient(z.string()),
  Var1: Text,
})

const HEARD = ['DevEUI_uplink', 'DevEUI_location', 'DevEUI_notification']
const UNHEARD = ['DevEUI_downlink_Sent', 'DevEUI_downlink_Rejected', 'DevEUI_multicast_summary']

/** Reads the documents of ThingPark, each under a name of its kind. */
export const readThingpark: ReadUplink = (body, { now }) => {
  const kind = [...HEARD, ...UNHEARD].find((name) => isObject(body) && isObject(body[name]))
  if (kind === undefined) throw invalidField('body', `Must have one of ${[...HEARD, ...UNHEARD].join(', ')}`)
  const sent = parseBody(Content, (body as Record<string, unknown>)[kind])
  const at = pickReceiptTime([sent.Time], now)
  return {
    numbers: [parseDevEui(sent.DevEUI, 'DevEUI')],
    id: `${kind} ${sent.FCntUp ?? sent.Type ?? ''} ${sent.Time}`,
    at,
    isHeard: HEARD.includes(kind) && sent.Type !== 'reset',
    ...(kind === 'DevEUI_uplink' && { decoded: sent.payload, payload: hexOf(sent.payload_hex) }),
    located: locate(sent, at, now),
    battery: readLorawanBattery(readNumber(sent.Type === 'devstatusans' ? sent.Var1 : sent.BatteryLevel)),
  }
}

const hexOf = (text: string | undefined) => (text && /^([0-9a-f]{2})+$/i.test(text) ? text : undefined)

/** The network's own location of the tracker. The coordinates of the gateway (`LrrLAT`) are not the tracker's. */
function locate({ DevLAT, DevLON, DevLocRadius, DevLocTime }: z.output<typeof Content>, at: string, now: Date): Fix | undefined {
  const point = findCoordinates(DevLAT, DevLON)
  return point && { ...point, precision: fixPrecision(readNumber(DevLocRadius)), datetime: pickReceiptTime([DevLocTime, at], now) }
}
