import * as z from 'zod/mini'
import { type KnownHabit, wordHabit } from './habits.ts'

/**
 * `drift+`: more than the contract says, which the portal ignores. `tolerated`: different from the contract, but the portal copes. `enum?`:
 * the same for a value outside of a closed list, which is shown as unknown.
 */
export const VERDICTS = ['pass', 'drift+', 'enum?', 'tolerated', 'fail', 'unreachable', 'skipped'] as const
export type Verdict = (typeof VERDICTS)[number]

export const FINDING_VERDICTS = ['drift+', 'enum?', 'tolerated', 'fail'] as const

/**
 * One deviation. `habit` is its code if the portal knows it, `effect` what a user notices. `call` is the endpoint it concerns, if not that
 * of the check; deviations of many calls with the same `cause` count as one.
 */
export type Finding = {
  verdict: (typeof FINDING_VERDICTS)[number]
  path: string
  message: string
  habit?: string
  effect?: string
  call?: string
  cause?: string
}

export const fail = (path: string, message: string): Finding => ({ verdict: 'fail', path, message })

/** A deviation that the portal copes with, described by its code unless other words are given. */
export const tolerate = (habit: KnownHabit, path: string, own: { message?: string; effect?: string } = {}): Finding => {
  const { came, effect } = wordHabit(habit)
  return { verdict: 'tolerated', path, message: came, habit, effect, ...own }
}

export const drift = (path: string, message: string): Finding => ({ verdict: 'drift+', path, message })

const WORST = ['fail', 'enum?', 'tolerated', 'drift+'] as const

export const worstVerdict = (findings: readonly Finding[]): Verdict =>
  WORST.find((verdict) => findings.some((finding) => finding.verdict === verdict)) ?? 'pass'

const EXIT_BROKEN: readonly string[] = ['fail', 'unreachable'] satisfies Verdict[]

export const isBroken = (verdict: string) => EXIT_BROKEN.includes(verdict)

/** A value outside of its list in the contract; `isOpen` if the contract accepts it anyway. */
export type UnlistedValue = { path: string; message: string; isOpen: boolean }

type Schema = z.core.$ZodType

/** Finds values of this kind in a response; each is listed once for all elements of a list. */
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
