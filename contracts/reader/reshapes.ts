import type * as z from 'zod/mini'
import { type Fields, findField, isRecord } from './names.ts'
import { reshapePrice } from './prices.ts'
import { reshapeHistoryPoint, reshapePosition, reshapeRange, reshapeTracker } from './reshape.ts'
import type { Habit } from './scalars.ts'
import { definition } from './stand-ins.ts'
import type { Deviation, Read } from './tolerant.ts'

type Shape = Record<string, z.ZodMiniType>

const isPrice = (shape: Shape) => 'unit_amount' in shape && 'meta_data' in shape

/** Whether the elements of a list are prices. */
export const isOfPrices = (element: z.ZodMiniType) => isPrice(definition(element).shape ?? {})

/** Creates each deviation once per object: a reading collects them in a set. */
function createNoted(path: string) {
  const noted = new Map<string, Deviation>()
  return (field: string, habit: Habit) => {
    const deviation = noted.get(field + habit) ?? { path: path ? `${path}.${field}` : field, habit }
    noted.set(field + habit, deviation)
    return deviation
  }
}

/** Returns the function that converts objects of this shape from other forms, or from other places of a field. */
export function findReshape(shape: Shape, path: string): Read {
  const noted = createNoted(path)
  if (isPrice(shape)) return (value, notes) => reshapePrice(value, (field, habit) => void notes.deviations.add(noted(field, habit)))
  if ('public_key' in shape && 'id' in shape) return reshapeCheckout
  if ('tracker_status' in shape && 'tracker_config' in shape) {
    const fieldsOf = (section: string) => new Set(Object.keys(definition(shape[section]!).shape ?? {}))
    const known = {
      tracker: new Set(Object.keys(shape)),
      tracker_status: fieldsOf('tracker_status'),
      tracker_config: fieldsOf('tracker_config'),
    }
    return (value, notes) => reshapeTracker(value, known, (field) => void notes.deviations.add(noted(field, 'other-place')))
  }
  if ('min' in shape && 'max' in shape) return readWith(reshapeRange, { path, habit: 'number-for-range' })
  if (!('lat' in shape && 'lng' in shape)) return (value) => value
  const toPosition = 'id' in shape && 'datetime' in shape ? reshapeHistoryPoint : reshapePosition
  return readWith(toPosition, { path, habit: 'other-position' })
}

/** Notes the deviation if the form of a value had to be changed. */
function readWith(change: (value: unknown) => unknown, otherForm: Deviation): Read {
  return (value, notes) => {
    const changed = change(value)
    if (changed !== value) notes.deviations.add(otherForm)
    return changed
  }
}

const SESSIONS = ['session', 'checkout_session', 'payment_session', 'checkout']
const KEYS = ['public_key', 'publishable_key', 'stripe_public_key', 'stripe_publishable_key', 'api_key', 'key', 'pk']
const IDS = ['session_id', 'checkout_session_id', 'payment_session_id', ...SESSIONS, 'id']

const findText = (layers: readonly Fields[], names: readonly string[]) =>
  layers.flatMap((fields) => names.map((name) => findField(fields, name))).find((each) => typeof each === 'string' && each !== '')

/** Converts a checkout session of the card provider into the form of the contract. One with an address needs neither id nor key. */
function reshapeCheckout(value: unknown): unknown {
  if (!isRecord(value)) return value
  const inner = SESSIONS.map((name) => findField(value, name)).find(isRecord)
  const layers = [inner, value].filter(isRecord)
  const url = findText(layers, ['url'])
  return { public_key: findText(layers, KEYS), id: findText(layers, IDS) ?? (url && ''), url }
}
