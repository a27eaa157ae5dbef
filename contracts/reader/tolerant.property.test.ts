import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { findContentType, getSuccess, type Route } from '#contracts/lib/route.ts'
import { getPersona } from '#server/mock/seed/records/personas.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { endpoints } from '#server/test/examples/all.ts'
import { sendExample } from '#server/test/examples/send-example.ts'
import { type TokenName, tokenAs } from '#server/test/stand-ins/answer-habits.ts'
import * as entryHabits from '#server/test/stand-ins/entry-habits.ts'
import { defOf, type Field, findField, unwrapSchema } from '#server/test/stand-ins/fields.ts'
import { applyToBody, type Habit, isObject, type Json } from '#server/test/stand-ins/habit.ts'
import * as shapeHabits from '#server/test/stand-ins/shape-habits.ts'
import { aboutEndpoint } from '#server/test/stand-ins/test-about.ts'
import * as valueHabits from '#server/test/stand-ins/value-habits.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { readTolerantly } from './tolerant.ts'

const RUNS = 1500
/** Endpoints whose examples must have succeeded, of the 87 or so that respond with JSON. */
const LEAST_EXAMPLES = 60
/** For eighty requests, some of which hash a password, on a busy machine. */
const PREPARATION_MS = 120_000

type Example = { name: string; schema: z.ZodMiniType; body: Json }
let examples: Example[]

const isJson = (route: Route) => {
  const { schema } = getSuccess(route)
  return findContentType(schema) === undefined && defOf(schema).type !== 'void'
}
const isRead = ({ route }: { route: Route }) => route.method === 'GET'

// All examples run in one world, reads before changes; examples that an earlier one made impossible are left out.
beforeAll(async () => {
  await using portal = await startPortal()
  examples = []
  const wanted = endpoints.filter(({ route }) => isJson(route)).toSorted((a, b) => Number(isRead(b)) - Number(isRead(a)))
  for (const { name, route } of wanted) {
    const { status, schema } = getSuccess(route)
    const response = await sendExample(portal.app, name, (key) => portal.token(getPersona(key).email))
    if (response.status === status) examples.push({ name, schema, body: JSON.parse(response.text) as Json })
  }
}, PREPARATION_MS)

/** Variations that change the form of a response, not its content. */
const restated: Habit[] = [
  ...[valueHabits.instantsWithOffset, valueHabits.instantsWithMicroseconds, valueHabits.instantsWithMilliseconds],
  ...[valueHabits.instantsWithoutZone, valueHabits.instantsInSeconds, valueHabits.instantsInMilliseconds, valueHabits.datesWithTime],
  ...[valueHabits.decimalsAsText, valueHabits.precisionWithFraction, valueHabits.idsAsText, valueHabits.idsAsUuids],
  ...[valueHabits.booleansAsNumbers, valueHabits.currenciesInCapitals, valueHabits.choicesInCapitals],
  ...[entryHabits.extraFields, entryHabits.nullsLeftOut, entryHabits.nullForAbsent],
  ...[shapeHabits.pagesWithResults(), shapeHabits.listsInData, shapeHabits.listsInItems, shapeHabits.objectsInData],
  shapeHabits.historyAsList,
  ...(['key', 'access', 'auth_token'] satisfies TokenName[]).map(tokenAs),
]

/** Variations that lose or add something besides what every screen shows. */
const lossy: Habit[] = [
  ...[entryHabits.absentFields, entryHabits.emptyFields, entryHabits.valuesOfNextYear],
  ...[entryHabits.oddNull, entryHabits.oddText, entryHabits.oddObject],
]

type Fact = [path: string, value: unknown]
type Choose = (schema: z.ZodMiniType, field: Field | undefined) => boolean

/** Every value known to the schema, with its path; null and absent are the same. */
function listFacts(schema: z.ZodMiniType, value: Json | undefined, choose: Choose, key = '', path = ''): Fact[] {
  if (value === null || value === undefined) return []
  const inner = unwrapSchema(schema)
  const field = findField(inner, key)
  if (!choose(schema, field)) return []
  const { shape = {}, element, valueType } = defOf(inner)
  if (Array.isArray(value)) return element ? value.flatMap((each, index) => listFacts(element, each, choose, key, `${path}[${index}]`)) : []
  if (isObject(value)) {
    return Object.entries(value).flatMap(([name, each]) => {
      const known = shape[name] ?? valueType
      return known ? listFacts(known, each, choose, name, `${path}.${name}`) : []
    })
  }
  return field ? [[path, toFact(value, field)]] : []
}

function toFact(value: Json, { kind, key }: Field) {
  if (kind === 'instant') return Date.parse(String(value))
  if (kind === 'id') return valueHabits.fromUuids(String(value))
  if (key === 'precision') return Math.round(Number(value))
  return value
}

const everything: Choose = () => true
/** Names, positions and times that every backend has: no optional field, and no value of a closed list. */
const essentials: Choose = (schema, field) => !['nullable', 'optional', 'boolean'].includes(defOf(schema).type) && field?.kind !== 'choice'

/** It is unknown whether a tracker moves if the backend omits the start of its standstill; null would mean that it moves. */
const isNoMotion = ([path, value]: Fact) => !(path.endsWith('.stationary_since') && Number.isNaN(value))

type Check = (example: Example, value: Json) => void

const sameAs =
  (choose: Choose, isCompared: (fact: Fact) => boolean = () => true): Check =>
  ({ schema, body }, value) =>
    expect(listFacts(schema, value, choose).filter(isCompared)).toEqual(listFacts(schema, body, choose).filter(isCompared))

/** A page made of a list counts its entries before unreadable ones are left out. */
const isNoCount = ([path]: Fact) => path !== '.count'

/** Reads an example in a varied form; a failure shows what was read. */
function readInHabits(example: Example, habits: readonly Habit[], check: Check) {
  const changed = applyToBody(habits, example.body, aboutEndpoint(example.name))
  const reading = readTolerantly(example.schema, changed)
  const told = `${example.name} with ${habits.map(({ name }) => name).join(', ')}`
  if (!reading.ok) throw new Error(`${told} is unreadable: ${JSON.stringify(reading.deviations)} ${JSON.stringify(changed).slice(0, 300)}`)
  try {
    check(example, reading.value as Json)
  } catch (error) {
    throw new Error(`${told}: ${error instanceof Error ? error.message : error}`)
  }
}

/** Every variation alone, with every example. */
const listFailures = (habits: Habit[], check: Check) =>
  collectFailures(
    habits.flatMap((habit) => examples.map((example) => ({ habit, example }))),
    () => '',
    ({ habit, example }) => readInHabits(example, [habit], check),
  )

function forAnyHabits(habits: Habit[], check: Check) {
  const byName = new Map(habits.map((habit) => [habit.name, habit]))
  const choices = fc.uniqueArray(fc.constantFrom(...byName.keys()), { minLength: 2, maxLength: 5 })
  const names = fc.constantFrom(...examples.map(({ name }) => name))
  const property = fc.property(names, choices, (name, chosen) => {
    const example = examples.find((each) => each.name === name)!
    readInHabits(
      example,
      chosen.map((each) => byName.get(each)!),
      check,
    )
  })
  fc.assert(property, { numRuns: RUNS, seed: 42 })
}

describe('readTolerantly', () => {
  test('the examples of most endpoints are known', () => {
    expect(examples.length).toBeGreaterThan(LEAST_EXAMPLES)
  })

  test('a response that conforms to the contract is read unchanged, without deviations', () => {
    for (const { name, schema, body } of examples) {
      const reading = readTolerantly(schema, body)
      expect(reading, name).toEqual({ ok: true, value: schema.parse(body), deviations: [], omitted: 0 })
    }
  })

  test('a deviation that only changes the form of a response does not change the result', async () => {
    expect(await listFailures(restated, sameAs(everything, isNoMotion))).toEqual([])
  })

  test('up to five deviations that only change the form of a response do not change the result', () => {
    forAnyHabits(restated, sameAs(everything, isNoMotion))
  })

  test('names, positions and times survive a deviation that omits fields or adds unknown ones', async () => {
    expect(await listFailures(lossy, sameAs(essentials))).toEqual([])
  })

  test('names, positions and times survive up to five deviations of any kind', () => {
    forAnyHabits([...restated, ...lossy], sameAs(essentials, isNoCount))
  })
})
