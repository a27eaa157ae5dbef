import { type Fields, findField, isRecord } from './names.ts'

/** Converts a checkout session of the card provider into the form of the contract. */

const SESSIONS = ['session', 'checkout_session', 'payment_session', 'checkout']
const KEYS = ['public_key', 'publishable_key', 'stripe_public_key', 'stripe_publishable_key', 'api_key', 'key', 'pk']
const IDS = ['session_id', 'checkout_session_id', 'payment_session_id', ...SESSIONS, 'id']

const findText = (layers: readonly Fields[], names: readonly string[]) =>
  layers.flatMap((fields) => names.map((name) => findField(fields, name))).find((each) => typeof each === 'string' && each !== '')

/** A session with an address needs neither id nor key. */
export function reshapeCheckout(value: unknown): unknown {
  if (!isRecord(value)) return value
  const inner = SESSIONS.map((name) => findField(value, name)).find(isRecord)
  const layers = [inner, value].filter(isRecord)
  const url = findText(layers, ['url'])
  return { public_key: findText(layers, KEYS), id: findText(layers, IDS) ?? (url && ''), url }
}
