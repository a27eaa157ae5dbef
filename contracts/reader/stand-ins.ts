import type * as z from 'zod/mini'
import { UNNAMED } from '#contracts/lib/unknown-values.ts'
import { PLACE_RADIUS } from '#contracts/rules/geo/place.ts'
import { PRECISION } from '#contracts/rules/tracking/fix.ts'
import { UNREPORTED_MODE } from '#contracts/rules/tracking/mode.ts'
import { SERIAL_ATTEMPTS } from '#contracts/trackers/serial-checks.ts'

/**
 * The value that replaces a missing field of a response. An object that cannot be shown without a field is unreadable when the field is
 * missing; where the neutral value of the type would mislead, `STAND_INS` has a better one.
 */

/** Fields that an object cannot be shown without. Dotted ones count only at that path of a response. */
const ESSENTIAL = new Set([
  'id',
  'uuid',
  'reference',
  'device',
  'lat',
  'lng',
  'months',
  'min',
  'max',
  'token',
  'key',
  'outcome',
  'url',
  'unit_amount',
  'verified',
  'serial_proof',
  'frequency',
  'keepalive_period',
  // Positions of a track are ordered by time.
  'results[].datetime',
  'positions[].datetime',
  'last_event.datetime',
  'last_datetime',
])

/** Not a value of any list; screens show a neutral text and icon for it. */
const UNKNOWN = 'unknown'

const STAND_INS: Record<string, unknown> = {
  // Frameworks respond to a sign-in with the token alone.
  'user.id': 0,
  // A name is a link's text and is read out by screen readers, so it must not be empty.
  name: UNNAMED,
  device_name: UNNAMED,
  label: UNNAMED,
  visible: true,
  email_confirmed: true,
  active: true,
  // Without subscriptions nothing is sold, so nothing is locked.
  sub_state: 'active',
  role: 'user',
  type: 'other',
  kind: 'other',
  usage: 'other',
  mode_state: 'applied',
  network_state: 'active',
  mode: UNREPORTED_MODE,
  // With null the tracker would count as moving.
  'tracker_status.stationary_since': '',
  precision: PRECISION.unknown,
  radius: PLACE_RADIUS.default,
  remaining_attempts: SERIAL_ATTEMPTS,
  interval_seconds: 30,
  quantity: 1,
  // A plan without months is shown with its name only.
  'meta_data.months': 0,
  // An unknown amount is not zero; formats show a dash.
  amount: Number.NaN,
  balance: Number.NaN,
  total: Number.NaN,
}

const BY_TYPE: Record<string, unknown> = { string: '', number: 0, boolean: false, array: [], enum: UNKNOWN, record: {} }

type Def = { type: string; options?: z.ZodMiniType[]; values?: unknown[]; shape?: Record<string, z.ZodMiniType> }

export const definition = (schema: z.ZodMiniType) => (schema as unknown as { _zod: { def: Def } })._zod.def

export type Missing = { isEssential: boolean; isObject: boolean; value: unknown; isAllowed(given: null | undefined): boolean }

/** A field with the last segment of its object's path: `results[].datetime`. */
const at = (key: string, parent: string) => `${parent.split('.').at(-1)}.${key}`

const isEssential = (key: string, parent: string) =>
  !(at(key, parent) in STAND_INS) && (ESSENTIAL.has(key) || ESSENTIAL.has(at(key, parent)))

/** `parent` is the path of the object that should have the field. */
export function missingValue(key: string, parent: string, schema: z.ZodMiniType): Missing {
  const def = definition(schema)
  const isOptional = def.type === 'optional'
  const isNullable = def.type === 'nullable' || (isOptional && schema.safeParse(null).success)
  return {
    // Null for an optional field means that it is absent.
    isEssential: !isOptional && isEssential(key, parent),
    isObject: def.type === 'object',
    value: isOptional ? undefined : standIn(key, parent, def),
    isAllowed: (given) => (given === null ? isNullable : isOptional),
  }
}

function standIn(key: string, parent: string, def: Def) {
  if (def.type === 'literal') return def.values?.[0]
  if (at(key, parent) in STAND_INS) return STAND_INS[at(key, parent)]
  if (def.type === 'nullable') return null
  return key in STAND_INS ? STAND_INS[key] : BY_TYPE[typeOf(def)]
}

const typeOf = ({ type, options }: Def) => (type === 'union' && options?.[0] ? definition(options[0]).type : type)
