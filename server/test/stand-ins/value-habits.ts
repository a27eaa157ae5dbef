import { type Field, type Kind, rewriteFields } from './fields.ts'
import { findSchema, type Habit, type Json } from './habit.ts'

const inFields = (name: string, rewrite: (value: Json, field: Field) => Json, more: Partial<Habit> = {}): Habit => ({
  name,
  stage: 'value',
  body: (body, about) => {
    const schema = findSchema(about)
    return schema ? rewriteFields(schema, body, rewrite) : body
  },
  ...more,
})

const ofKind = (kind: Kind, change: (text: string) => Json) => (value: Json, field: Field) =>
  field.kind === kind && typeof value === 'string' ? change(value) : value

const inInstants = (name: string, change: (text: string) => Json) => inFields(name, ofKind('instant', change))

/** An instant without a zone is in UTC, wherever the test runs. */
const readUtc = (text: string) => Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`)

export const instantsWithOffset = inInstants('instants with an offset', (text) => text.replace(/Z$/, '+00:00'))
export const instantsWithMicroseconds = inInstants('instants with microseconds', (text) => padFraction(text, 6))
export const instantsWithMilliseconds = inInstants('instants with milliseconds', (text) => padFraction(text, 3))
export const instantsWithoutZone = inInstants('instants without a zone', (text) => text.replace(/Z$/, ''))
export const instantsInSeconds = inInstants('instants in seconds', (text) => readUtc(text) / 1000)
export const instantsInMilliseconds = inInstants('instants in milliseconds', readUtc)

const padFraction = (text: string, digits: number) =>
  text.replace(/(?:\.(\d+))?(?=Z$|[+-]\d\d:\d\d$|$)/, (_, fraction = '') => `.${fraction.padEnd(digits, '0')}`)

/** Dates as from a database that has no type for them. */
export const datesWithTime = inFields(
  'dates with a time',
  ofKind('date', (text) => `${text}T00:00:00Z`),
)

/** As from a database column for decimals of fixed precision. */
const DECIMALS = new Set(['lat', 'lng', 'precision', 'battery', 'amount', 'balance', 'total', 'unit_amount', 'tax'])

export const decimalsAsText = inFields('decimals as text', (value, { key }) =>
  DECIMALS.has(key) && typeof value === 'number' ? (key === 'lat' || key === 'lng' ? padDecimals(value, 6) : String(value)) : value,
)

/** Only zeros are appended, so that no position moves. */
const padDecimals = (value: number, digits: number) => {
  const [whole, fraction = ''] = String(value).split('.')
  return `${whole}.${fraction.padEnd(digits, '0')}`
}

/** Metres of precision are whole in the contract. */
export const precisionWithFraction = inFields('precision with a fraction', (value, { key }) =>
  key === 'precision' && typeof value === 'number' ? value + 0.4 : value,
)

/** Clients that know only these ids send them back as text. */
const acceptsIdsAsText: Pick<Habit, 'request'> = {
  request: (sent, about) => {
    const schema = about.route?.body
    if (!schema || sent.json === undefined) return sent
    return { ...sent, json: rewriteFields(schema, sent.json, (value, { kind }) => (kind === 'id' ? toNumber(value) : value)) }
  },
}

const toNumber = (value: Json) => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value)

export const idsAsText = inFields(
  'ids as text',
  (value, { kind }) => (kind === 'id' && typeof value === 'number' ? String(value) : value),
  acceptsIdsAsText,
)

const UUID_HEAD = '1d000000-0000-4000-8000-'
const UUIDS = new RegExp(`${UUID_HEAD}(\\d{12})`, 'g')

export const toUuid = (id: number) => UUID_HEAD + String(id).padStart(12, '0')
export const fromUuids = (text: string) => text.replace(UUIDS, (_, digits: string) => String(Number(digits)))

/** Mapped back in the path, the query and the body of a request. */
export const idsAsUuids = inFields(
  'ids as UUIDs',
  (value, { kind }) => (kind === 'id' && typeof value === 'number' ? toUuid(value) : value),
  {
    request: (sent, about) => {
      const json = sent.json === undefined ? undefined : (JSON.parse(fromUuids(JSON.stringify(sent.json))) as Json)
      const query = new URLSearchParams([...sent.query].map(([name, value]) => [name, fromUuids(value)]))
      return acceptsIdsAsText.request!({ ...sent, path: fromUuids(sent.path), query, json }, about)
    },
  },
)

export const booleansAsNumbers = inFields('booleans as 0 and 1', (value) => (typeof value === 'boolean' ? Number(value) : value), {
  request: (sent, { route }) => {
    if (!route?.body || sent.json === undefined) return sent
    const toBoolean = (value: Json, { kind }: Field) => (kind === 'boolean' && (value === 0 || value === 1) ? value === 1 : value)
    return { ...sent, json: rewriteFields(route.body, sent.json, toBoolean) }
  },
})

export const currenciesInCapitals = inFields('currencies in capitals', (value, { key }) =>
  key === 'currency' && typeof value === 'string' ? value.toUpperCase() : value,
)

/** Clients may send either case. */
export const choicesInCapitals = inFields(
  'choices in capitals',
  (value, { kind }) => (kind === 'choice' ? String(value).toUpperCase() : value),
  {
    request: (sent, { route }) => {
      if (!route?.body || sent.json === undefined) return sent
      const toListed = (value: Json, { choices }: Field) => choices.find((each) => each.toUpperCase() === value) ?? value
      return { ...sent, json: rewriteFields(route.body, sent.json, toListed) }
    },
  },
)
