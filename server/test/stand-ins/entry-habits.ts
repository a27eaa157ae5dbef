import type * as z from 'zod/mini'
import { type Field, listSpareFields, rewriteEntries, rewriteFields, rewriteObjects } from './fields.ts'
import { findSchema, type Habit, isObject, type Json, type JsonObject } from './habit.ts'

const inSchema = (name: string, stage: Habit['stage'], change: (schema: z.ZodMiniType, body: Json) => Json): Habit => ({
  name,
  stage,
  body: (body, about) => {
    const schema = findSchema(about)
    return schema ? change(schema, body) : body
  },
})

/** Values outside the contract's lists, by a value inside the list. */
const NEXT_YEAR: Record<string, string> = {
  tracker_01: 'tracker_99',
  dog: 'scooter',
  not_activated: 'paused',
  warehouse: 'marina',
  shipping: 'returned',
  paid: 'refunded',
  sending: 'queued',
  low_battery: 'tamper',
}

const toNextYear = (value: Json, { choices }: Field) => {
  const known = choices.find((choice) => choice in NEXT_YEAR)
  return known ? (NEXT_YEAR[known] as string) : value
}

/** Of objects with ids, the one with new values, alone and in lists; of other lists it is the second element. */
const NEXT_YEARS_ID = 2

const isOfNextYear = (entry: Json) => isObject(entry) && entry.id === NEXT_YEARS_ID

export const valuesOfNextYear = inSchema('values of next year', 'value', (schema, body) => {
  const changed = rewriteEntries(schema, body, (entries, element) => {
    const found = entries.findIndex(isOfNextYear)
    const chosen = found < 0 ? 1 : found
    return entries.map((entry, index) => (index === chosen ? rewriteFields(element, entry, toNextYear) : entry))
  })
  return changed === body && isOfNextYear(body) ? rewriteFields(schema, body, toNextYear) : changed
})

const EXTRA: JsonObject = { created_by: 'import', revision: 7, _links: { self: '/elsewhere/' }, extras: [null, {}] }

export const extraFields = inSchema('extra fields', 'entry', (schema, body) =>
  rewriteObjects(schema, body, (value) => ({ ...EXTRA, ...value })),
)

const without = (value: Json, [name, ...rest]: string[], replace: (object: JsonObject, name: string) => JsonObject): Json => {
  if (!isObject(value) || name === undefined || !(name in value)) return value
  return rest.length === 0 ? replace(value, name) : { ...value, [name]: without(value[name] as Json, rest, replace) }
}

const lackOne = (schema: z.ZodMiniType, body: Json, replace: (object: JsonObject, name: string) => JsonObject) =>
  rewriteEntries(schema, body, (entries, element) => {
    const spare = listSpareFields(element)
    return spare.length === 0 ? entries : entries.map((entry, index) => without(entry, spare[index % spare.length] as string[], replace))
  })

const isLeftOut = (object: JsonObject, name: string) => Object.fromEntries(Object.entries(object).filter(([key]) => key !== name))

/** Each element of a list lacks another one of the optional fields. */
export const absentFields = inSchema('absent fields', 'entry', (schema, body) => lackOne(schema, body, isLeftOut))
export const emptyFields = inSchema('null for a field', 'entry', (schema, body) =>
  lackOne(schema, body, (object, name) => ({ ...object, [name]: null })),
)

/** Fields that were never set are omitted from all responses. */
export const nullsLeftOut = inSchema('nulls left out', 'entry', (schema, body) =>
  rewriteObjects(schema, body, (value) => Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null))),
)

/** Omitted fields are null. */
export const nullForAbsent = inSchema('null for absent fields', 'entry', (schema, body) =>
  rewriteObjects(schema, body, (value, shape) => {
    const absent = Object.keys(shape).filter((key) => !(key in value))
    return { ...value, ...Object.fromEntries(absent.map((key) => [key, null])) }
  }),
)

/** One element of the list is invalid; the other elements are read nevertheless. */
const withOddElement = (name: string, odd: Json): Habit =>
  inSchema(`one element is ${name}`, 'entry', (schema, body) =>
    rewriteEntries(schema, body, (entries) => entries.toSpliced(Math.floor(entries.length / 2), 0, odd)),
  )

export const oddNull = withOddElement('null', null)
export const oddText = withOddElement('a text', 'deleted')
export const oddObject = withOddElement('an object without an id', { deleted: true })
