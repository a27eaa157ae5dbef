import type { Fix } from '#contracts/rules/geo/coordinates.ts'
import { followBattery } from '#contracts/rules/tracking/rules/battery.ts'
import { hasDeadline, isPairRule, isTimed, type Rule } from '#contracts/rules/tracking/rules/rule.ts'
import { type Reporter, silenceDue } from '#contracts/rules/tracking/rules/silence.ts'
import { advanceTimed, nextDue } from '#contracts/rules/tracking/rules/timed.ts'
import { advancePair } from './follow-pair.ts'
import { type Firing, fireWatch, joinFirings, type Watch, type WatchFiring } from './watch.ts'

/** A tracker as its messages describe it. `fix`: its newest position. */
export type FollowedTracker = { reporter: Reporter; fix: Fix | null }

type Result = { watches: Watch[]; firings: Firing[] }

/** Fires what fell due by `now` (ms) while no message came. */
export function advanceWatches(watches: Watch[], tracker: FollowedTracker, now: number): Result {
  if (!watches.some((watch) => isDue(watch, now))) return { watches, firings: [] }
  const fired: WatchFiring[] = []
  const after = watches.map((watch) => (isDue(watch, now) ? advanceWatch(watch, tracker, now, fired) : watch))
  return { watches: after, firings: joinFirings(fired, tracker.fix) }
}

const isDue = ({ rule, dueAt }: Watch, now: number) => rule !== null && dueAt !== null && dueAt <= now

function advanceWatch(watch: Watch, { reporter, fix }: FollowedTracker, now: number, fired: WatchFiring[]): Watch {
  const { rule, schedule, state, crossing, timeZone } = watch
  if (!rule) return watch
  if (isPairRule(rule)) {
    const result = advancePair(watch, now)
    fired.push(...result.fired)
    return result.watch
  }
  const facts = { reporter, positionAt: fix?.datetime ?? null, isInside: crossing.inside, timeZone }
  const { firedAt, ...moved } = advanceTimed({ rule, schedule, state }, facts, now)
  let next: Watch = { ...watch, state: moved.state, dueAt: moved.due, hasChanged: true }
  for (const at of firedAt) {
    const result = fireWatch(next, [rule.kind], at, { isOnTime: hasDeadline(rule) })
    next = result.watch
    fired.push(...result.fired)
  }
  return next
}

/** `before`, `after`: the tracker before and after the message. `battery`: the level that it reports. `pressedAt`: a press of the button (ms). */
export type FollowedMessage = {
  before: FollowedTracker
  after: FollowedTracker
  now: number
  battery: number | null
  pressedAt: number | null
}

/** Applies a message to the rules that depend on more than its positions. */
export function followRules(watches: Watch[], message: FollowedMessage): Result {
  if (!watches.some(({ rule }) => rule !== null)) return { watches, firings: [] }
  const { before, after, now } = message
  const wasSilent = () => {
    const silent = silenceDue(before.reporter)
    return silent !== null && silent <= now
  }
  const fired: WatchFiring[] = []
  const next = watches.map((watch) => {
    const { rule, state } = watch
    if (!rule) return watch
    if (isTimed(rule)) return scheduleWatch(watch, after, now, fired)
    const result = applyMessage(rule, message, wasSilent, state)
    if (result === null) return watch
    const changed = result.state === state ? watch : { ...watch, state: result.state, hasChanged: true }
    if (result.firesAt === null) return changed
    const ended = fireWatch(changed, [rule.kind], result.firesAt)
    fired.push(...ended.fired)
    return ended.watch
  })
  return { watches: next, firings: joinFirings(fired, after.fix) }
}

function applyMessage(rule: Rule, { after, now, battery, pressedAt }: FollowedMessage, wasSilent: () => boolean, state: Watch['state']) {
  if (rule.kind === 'back') return { state, firesAt: wasSilent() ? now : null }
  if (rule.kind === 'button') return { state, firesAt: pressedAt }
  if (rule.kind !== 'battery') return null
  const { state: followed, fires } = followBattery(rule.below, state, after.reporter.type, battery)
  return { state: followed, firesAt: fires ? now : null }
}

/**
 * Looks at a timed rule after a message. Its saved time is only moved forward, or every message would write it: the job that finds nothing
 * due moves it back.
 */
function scheduleWatch(watch: Watch, tracker: FollowedTracker, now: number, fired: WatchFiring[]): Watch {
  const { rule, schedule, state, dueAt, crossing, timeZone } = watch
  if (!rule || (hasDeadline(rule) && dueAt !== null)) return watch
  const due = nextDue({ rule, schedule, state }, { reporter: tracker.reporter, positionAt: null, isInside: crossing.inside, timeZone })
  if (due !== null && due <= now) return advanceWatch(watch, tracker, now, fired)
  return due === null || (dueAt !== null && dueAt <= due) ? watch : { ...watch, dueAt: due, hasChanged: true }
}

/** Begins a rule at `now` (ms), when its alert is saved, changed or switched on: what happened before does not count. */
export function startRule(watch: Watch, tracker: FollowedTracker, now: number): Watch {
  const { rule, schedule, crossing, timeZone } = watch
  if (!rule) return { ...watch, state: {}, dueAt: null }
  const state = isTimed(rule) ? { from: now } : {}
  const facts = { reporter: tracker.reporter, positionAt: null, isInside: crossing.inside, timeZone }
  return { ...watch, state, dueAt: nextDue({ rule, schedule, state }, facts), hasChanged: true }
}
