import * as z from 'zod/mini'
import { type Breach, type Exchange, findBreaches } from '#contracts/lib/breaches.ts'
import { findContentType, type Route } from '#contracts/lib/route.ts'

/**
 * `drift+`: more than the contract says, which the portal ignores. `enum?`: a value outside of a closed list, so the portal rejects the
 * response until the list is extended.
 */
export const VERDICTS = ['pass', 'drift+', 'enum?', 'fail', 'unreachable', 'skipped'] as const
export type Verdict = (typeof VERDICTS)[number]

export type Finding = { verdict: 'drift+' | 'enum?' | 'fail'; path: string; message: string }

export const fail = (path: string, message: string): Finding => ({ verdict: 'fail', path, message })
export const drift = (path: string, message: string): Finding => ({ verdict: 'drift+', path, message })

const WORST = ['fail', 'enum?', 'drift+'] as const

export const worstVerdict = (findings: readonly Finding[]): Verdict =>
  WORST.find((verdict) => findings.some((finding) => finding.verdict === verdict)) ?? 'pass'

const EXIT_BROKEN: readonly string[] = ['fail', 'enum?', 'unreachable'] satisfies Verdict[]

export const isBroken = (verdict: string) => EXIT_BROKEN.includes(verdict)

/** A value outside of its list in the contract; `isOpen` if the contract accepts it anyway. */
export type UnlistedValue = { path: string; message: string; isOpen: boolean }

type Schema = z.core.$ZodType

/** Finds such values in a response; each is listed once for all elements of a list. */
export function findUnlistedValues(schema: Schema, value: unknown): UnlistedValue[] {
  const findings = [...walkValue(schema, value, [])]
  return [...new Map(findings.map((one) => [`${one.path} ${one.message}`, one])).values()]
}

function* walkValue(schema: Schema, value: unknown, path: readonly string[]): Generator<UnlistedValue> {
  if (schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniNullable || schema instanceof z.ZodMiniDefault) {
    if (value !== null && value !== undefined) yield* walkValue(schema._zod.def.innerType, value, path)
  } else if (schema instanceof z.ZodMiniArray && Array.isArray(value)) {
    for (const element of value) yield* walkValue(schema._zod.def.element, element, [...path, '*'])
  } else if (schema instanceof z.ZodMiniObject && isObject(value)) {
    for (const [key, inner] of Object.entries(schema._zod.def.shape)) yield* walkValue(inner, value[key], [...path, key])
  } else if (typeof value === 'string' || typeof value === 'number') yield* checkValue(schema, value, path)
}

function* checkValue(schema: Schema, value: string | number, path: readonly string[]): Generator<UnlistedValue> {
  const list = allowedValues(schema)
  if (!list || list.values.includes(value) || typeof value !== typeof list.values[0]) return
  yield { path: path.join('.'), message: `${JSON.stringify(value)} is not one of ${list.values.join(', ')}`, isOpen: list.isOpen }
}

function allowedValues(schema: Schema): { values: unknown[]; isOpen: boolean } | undefined {
  if (schema instanceof z.ZodMiniEnum) return { values: Object.values(schema._zod.def.entries), isOpen: false }
  if (schema instanceof z.ZodMiniLiteral) return { values: [...schema._zod.def.values], isOpen: false }
  if (!(schema instanceof z.ZodMiniUnion)) return undefined
  const named = schema._zod.def.options.find((option) => option instanceof z.ZodMiniEnum)
  return named && { values: Object.values(named._zod.def.entries), isOpen: true }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

z.config(z.locales.en())

type Disagreement = Finding & Pick<Breach, 'side'>

/**
 * Where a request and its response deviate from the contract: breaches as in the mock server's journal, and values outside of their list.
 */
export function findDisagreements(route: Route, exchange: Exchange): Disagreement[] {
  const schema = route.response[exchange.status as keyof Route['response']]
  const checkValue = schema && !findContentType(schema) ? findUnlistedValues(schema, exchange.answer) : []
  const closed = new Map(checkValue.filter(({ isOpen }) => !isOpen).map(({ path, message }) => [path, message]))
  return [
    ...findBreaches(route, exchange).map((breach) => toDisagreement(breach, closed)),
    ...checkValue
      .filter(({ isOpen }) => isOpen)
      .map(({ path, message }) => ({ verdict: 'drift+', side: 'response', path, message }) as const),
  ]
}

function toDisagreement({ side, kind, path, message }: Breach, closed: Map<string, string>): Disagreement {
  if (kind === 'unknown') return { verdict: 'drift+', side, path, message }
  const value = side === 'response' ? closed.get(path) : undefined
  return value === undefined ? { verdict: 'fail', side, path, message } : { verdict: 'enum?', side, path, message: value }
}
