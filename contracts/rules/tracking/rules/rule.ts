import type { Pair } from './pair.ts'

/** What an alert watches instead of a border or a vehicle; the contract says what each kind means. */
export type Rule =
  | { kind: 'silent' | 'back' | 'button' | 'moved' }
  | { kind: 'battery'; below: number }
  | { kind: 'stands'; minutes: number }
  | { kind: 'speed'; over: number; seconds: number }
  | { kind: 'not_arrived' | 'not_left'; by: string }
  | { kind: 'apart' | 'together'; meters: number }
  /** `meters`: once it has fired, how far the tracker was from everything usual. */
  | { kind: 'unusual'; meters?: number | undefined }
export type RuleKind = Rule['kind']
export type RuleOf<Kind extends RuleKind> = Extract<Rule, { kind: Kind }>

/** Days of the week from Monday (1), and a period of these days. */
export type Schedule = { days: number[]; from: string; to: string }

/** Every kind of rule, in the order in which they are offered. */
export const RULE_KINDS = [
  'silent',
  'back',
  'battery',
  'button',
  'moved',
  'stands',
  'speed',
  'not_arrived',
  'not_left',
  'apart',
  'together',
  'unusual',
] as const satisfies readonly RuleKind[]

/**
 * What a rule remembers of one tracker; each kind uses some of it.
 * `from`: the rule began then (ms), so nothing that fell due earlier fires. `isSpent`: it has fired and waits for the end of what it fired for.
 * `above`, `below`: since when the tracker has been faster or slower. `stay`: the start of the stay for which it has fired.
 * `judgedAt`, `zone`: the last time of day that was judged, and its time zone. `pair`: where both trackers of a pair were.
 * `awaySince`, `awayFixes`: since when, and for how many fixes, the tracker has been away from where it usually is.
 */
export type RuleState = {
  from?: number | undefined
  isSpent?: boolean | undefined
  above?: number | undefined
  below?: number | undefined
  stay?: number | undefined
  judgedAt?: number | undefined
  zone?: string | undefined
  pair?: Pair | undefined
  awaySince?: number | undefined
  awayFixes?: number | undefined
}

/** Rules that can fall due while no message comes. */
export const isTimed = ({ kind }: Pick<Rule, 'kind'>) =>
  kind === 'silent' || kind === 'stands' || kind === 'not_arrived' || kind === 'not_left'

/** Rules about a place, which need the place of the alert. */
export const hasDeadline = (rule: Rule): rule is RuleOf<'not_arrived' | 'not_left'> =>
  rule.kind === 'not_arrived' || rule.kind === 'not_left'

/** Rules about two trackers and how far they are from each other. */
export const isPairRule = (rule: Pick<Rule, 'kind'> | null): rule is RuleOf<'apart' | 'together'> =>
  rule?.kind === 'apart' || rule?.kind === 'together'
