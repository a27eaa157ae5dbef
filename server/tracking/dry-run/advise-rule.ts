import { MINUTE_MS } from '#contracts/rules/time.ts'
import { PAIR_METERS, SPEED, STANDS } from '#contracts/rules/tracking/rules/limits.ts'
import { hasDeadline, isPairRule, type Rule, type Schedule } from '#contracts/rules/tracking/rules/rule.ts'
import { containsTime } from '#contracts/rules/tracking/rules/schedule.ts'
import type { Work } from '#contracts/rules/work.ts'
import { findSmallest, LEFT_SHARE, MIN_NEEDLESS, SAME_FIRING_MS, SHORT_MS } from './advise-size.ts'
import type { PlayRule, RuleFiring } from './replay-rule.ts'

/** By how much, and how often, the value of a rule is changed: minutes, seconds, metres, and minutes of the day. */
const STEPS = {
  stands: { size: 5, count: 6 },
  speed: { size: 5, count: 24 },
  pair: { size: 10, count: 20 },
  deadline: { size: 5, count: 6 },
} as const

/** A tracker that is slower again this soon was hardly too fast. */
const SHORT_SPEED_MS = MINUTE_MS

/**
 * Returns a rule like this one that leaves the firings that matter, or null. A firing is needless if that for which it fired was over within
 * 15 minutes, or a minute for a speed. The rule asks for a longer stay, a longer time above a speed, more metres between two trackers (fewer for
 * `together`) or a later time of day: the smallest such change with which three quarters of the needless firings or more do not happen, while
 * each other one still happens within an hour of its time. With fewer than two needless firings there is no advice.
 */
export function* adviseRule(rule: Rule, play: PlayRule, schedule: Schedule | null): Work<Rule | null> {
  const variants = listVariants(rule, schedule)
  if (variants.length === 0) return null
  const short = rule.kind === 'speed' ? SHORT_SPEED_MS : SHORT_MS
  const isNeedless = ({ at, endedAt }: RuleFiring) => endedAt !== null && endedAt - at <= short
  const present = yield* play(rule)
  const needless = present.filter(isNeedless).length
  if (needless < MIN_NEEDLESS) return null
  const lasting = present.filter((firing) => !isNeedless(firing))
  function* tryVariant(nth: number) {
    const firings = yield* play(variants[nth - 1]!)
    const isStill = ({ nth: of, at }: RuleFiring) => firings.some((other) => other.nth === of && Math.abs(other.at - at) <= SAME_FIRING_MS)
    const kept = lasting.filter(isStill).length
    return { left: firings.length - kept, keepsAll: kept === lasting.length }
  }
  const found = yield* findSmallest(variants.length, tryVariant, ({ left }) => left <= LEFT_SHARE * needless)
  return found?.result.keepsAll ? variants[found.nth - 1]! : null
}

/** The same rule with values that change more and more. */
function listVariants(rule: Rule, schedule: Schedule | null): Rule[] {
  const grow = (value: number, { size, count }: { size: number; count: number }, max: number) =>
    Array.from({ length: count }, (_, nth) => (Math.floor(value / size) + nth + 1) * size).filter((grown) => grown <= max)
  if (rule.kind === 'stands') return grow(rule.minutes, STEPS.stands, STANDS.max).map((minutes) => ({ ...rule, minutes }))
  if (rule.kind === 'speed') return grow(rule.seconds, STEPS.speed, SPEED.seconds.max).map((seconds) => ({ ...rule, seconds }))
  if (rule.kind === 'together') return grow(-rule.meters, STEPS.pair, -PAIR_METERS.min).map((meters) => ({ ...rule, meters: -meters }))
  if (rule.kind === 'apart') return grow(rule.meters, STEPS.pair, PAIR_METERS.max).map((meters) => ({ ...rule, meters }))
  if (!hasDeadline(rule)) return []
  const [hours, minutes] = rule.by.split(':').map(Number)
  return grow(hours! * 60 + minutes!, STEPS.deadline, LAST_MINUTE)
    .map((minute) => ({ ...rule, by: formatTime(minute) }))
    .filter(({ by }) => schedule === null || containsTime(schedule, by))
}

const LAST_MINUTE = 24 * 60 - 1
const formatTime = (minute: number) => [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':')

/** Whether a rule has a value that can be advised. */
export const isAdvisable = (rule: Rule) => rule.kind === 'stands' || rule.kind === 'speed' || isPairRule(rule) || hasDeadline(rule)
