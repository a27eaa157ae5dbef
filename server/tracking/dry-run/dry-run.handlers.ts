import { type alertDryRun as contract, DRY_RUN, type DryRun } from '#contracts/alerts.ts'
import type { Geofence } from '#contracts/rules/geo/place.ts'
import { addDays, type Day, localDay, startOfLocalDay } from '#contracts/rules/local-day.ts'
import { DAY_MS, formatInstant } from '#contracts/rules/time.ts'
import { dailySpan, findQuietEnd } from '#contracts/rules/tracking/rules/quiet-hours.ts'
import { isPairRule, type Rule } from '#contracts/rules/tracking/rules/rule.ts'
import type { Work } from '#contracts/rules/work.ts'
import type { HistoryReader, PositionColumns } from '#db/positions.ts'
import type { DeviceRow } from '#db/scope.ts'
import { loadUnsavedAlert, modeWithAlert } from '#server/alerts/change-alerts.ts'
import { findOwnerZone, findReportingPace } from '#server/alerts/tracker-alerts.ts'
import type { Handlers } from '#server/http/serve.ts'
import { invalidField } from '#server/lib/errors.ts'
import { finishInSlices } from '#server/lib/finish-in-slices.ts'
import type { ViewerContext } from '#server/ports/world.ts'
import { findTimeZone } from '#server/tracking/days/day-summaries.store.ts'
import { endHistory, findLastShown } from '#server/tracking/history/history.ts'
import { adviseRule, isAdvisable } from './advise-rule.ts'
import { adviseSize, scalePlace } from './advise-size.ts'
import { type DryFiring, followStored, playAlert, type Watched } from './replay.ts'
import { prepareRule, type RuleRun } from './replay-rule.ts'

export const alertDryRun: Handlers<typeof contract> = {
  async run({ body: { days, tz, ...body } }, context) {
    const { db, viewer, clock, graceDays } = context
    if (body.rule?.kind === 'button')
      throw invalidField('rule', 'Where a button was pressed without a position is not stored, so it cannot be tried')
    if (body.rule?.kind === 'unusual')
      throw invalidField('rule', 'What is usual was learnt from the same days, so it cannot be tried on them')
    const now = clock.now()
    const { devices, watched } = await loadUnsavedAlert(db.read, viewer, body)
    const timeZone = tz ?? (await findTimeZone(db.read, viewer))
    const period = { days, today: localDay(now.getTime(), timeZone), timeZone }
    const { stored, first, isPartial } = await readWithinLimit(context, devices, period)
    const ownerZone = watched.rule || watched.schedule ? await findOwnerZone(db.read, viewer.accountId) : 'UTC'
    const runs: Run[] = []
    for (const of of stored) {
      const { type, boardName } = of.device
      const mode = modeWithAlert(of.device, watched.isVehicleAlert, now)
      const last = findLastShown(of.device, now, graceDays) * 1000
      const reporter = { type, boardName, mode, pace: await findReportingPace(db.read, of.device, watched.rule) }
      runs.push({ ...of, reporter, until: Math.min(now.getTime(), last) })
    }
    const { firings, advice, ruleAdvice } = await finishInSlices(
      tryAlert(runs, { ...watched, timeZone: ownerZone, usual: null }, startOfLocalDay(first, timeZone)),
    )
    const dates = { first, last: period.today, timeZone }
    return {
      ...summarize(firings, dates),
      firings: firings.map(({ device, kind, at, fix: { lat, lng } }) => ({
        device,
        at: formatInstant(new Date(at)),
        kind,
        lat,
        lng,
      })),
      days: countByDay(firings, dates),
      devices: runs.map(({ device }) => device.id),
      partial: isPartial,
      advice: advice && presentPlaceAdvice(advice, dates),
      rule_advice: ruleAdvice && { rule: ruleAdvice.rule, ...summarize(ruleAdvice.firings, dates) },
    }
  },
}

type Period = { days: number; today: Day; timeZone: string }
type Stored = { device: DeviceRow; columns: PositionColumns }

/**
 * Reads the positions of the last days. If they are too many, it halves the days until those of all trackers fit, and leaves out trackers
 * only if their positions of today are too many.
 */
async function readWithinLimit(context: ViewerContext, devices: readonly DeviceRow[], { days, today, timeZone }: Period) {
  const history = context.db.history()
  for (let count = days; ; count = Math.ceil(count / 2)) {
    const first = addDays(today, 1 - count)
    const stored = await readAll(context, history, devices, startOfLocalDay(first, timeZone) / 1000, count > 1)
    if (stored) return { stored, first, isPartial: count < days || stored.length < devices.length }
  }
}

/** Null if the trackers have more positions than a dry run reads, and `isWhole`; otherwise those of the trackers that fit. */
async function readAll(
  { clock, graceDays }: ViewerContext,
  history: HistoryReader,
  devices: readonly DeviceRow[],
  from: number,
  isWhole: boolean,
) {
  const stored: Stored[] = []
  let left: number = DRY_RUN.positions
  for (const device of devices) {
    const shown = endHistory(history, findLastShown(device, clock.now(), graceDays))
    const columns = await readSince(shown, device.id, from, left + 1)
    left -= columns.time.length
    if (left < 0 && isWhole) return null
    if (left < 0) return stored
    stored.push({ device, columns })
  }
  return stored
}

/**
 * The rules of alerts depend on earlier positions, so some history before the period is read too: a week, or a day of a tracker that reports
 * often.
 */
const LEAD = { seconds: (7 * DAY_MS) / 1000, often: 2000, secondsIfOften: DAY_MS / 1000 } as const
/** The year 2106. */
const MAX_TIME = 2 ** 32

async function readSince(history: HistoryReader, deviceId: number, from: number, limit: number) {
  const end = (await history.latest(deviceId, 0, from - 1))?.time ?? from
  const isOften = (await history.count(deviceId, end - LEAD.seconds, end)) > LEAD.often
  return history.columns(deviceId, end - (isOften ? LEAD.secondsIfOften : LEAD.seconds), MAX_TIME, limit)
}

type Run = Stored & Omit<RuleRun, 'track'>
type Fired = DryFiring & { device: number }

/** What an alert fires; `advice` and `ruleAdvice`: another place or rule with which it would fire less, and what that would fire. */
type Tried = {
  firings: Fired[]
  advice: { size: number; place: Geofence; firings: Fired[] } | null
  ruleAdvice: { rule: Rule; firings: { at: number }[] } | null
}

function* tryAlert(runs: readonly Run[], watched: Watched, from: number): Work<Tried> {
  const tracks: (RuleRun & { device: number })[] = []
  for (const { device, columns, ...run } of runs) tracks.push({ ...run, device: device.id, track: yield* followStored(columns, from) })
  function* play(place: typeof watched.place): Work<Fired[]> {
    const fired: Fired[] = []
    for (const { device, track, ...run } of tracks)
      for (const firing of yield* playAlert(track, { ...watched, place }, { ...run, from })) fired.push({ ...firing, device })
    return fired.sort((a, b) => a.at - b.at)
  }
  const { place, trigger, rule, schedule } = watched
  if (rule && isAdvisable(rule)) {
    const playRule = yield* prepareRule(rule, tracks, watched, from)
    const isWhole = rule.kind === 'speed' || isPairRule(rule)
    const firings = isWhole
      ? (yield* playRule(rule)).map(({ nth, ...firing }) => ({ ...firing, device: tracks[nth]!.device }))
      : yield* play(place)
    const advised = yield* adviseRule(rule, playRule, schedule)
    return { firings, advice: null, ruleAdvice: advised && { rule: advised, firings: yield* playRule(advised) } }
  }
  const firings = yield* play(place)
  if (!place || !trigger) return { firings, advice: null, ruleAdvice: null }
  const scalable = scalePlace(place)
  const size = yield* adviseSize(
    tracks.map(({ track }) => track),
    scalable,
    trigger,
  )
  if (size === null) return { firings, advice: null, ruleAdvice: null }
  const advised = { ...place, ...scalable.withSize(size) }
  return { firings, advice: { size, place: advised, firings: yield* play(advised) }, ruleAdvice: null }
}

/** Describes the place by what a user can change of it. */
function presentPlaceAdvice({ size, place: { radius, shape }, firings }: NonNullable<Tried['advice']>, dates: Dates): DryRun['advice'] {
  const counts = summarize(firings, dates)
  if (!shape) return { radius, ...counts }
  return shape.type === 'corridor' ? { radius, width: size, ...counts } : { radius, margin: size, shape, ...counts }
}

const NIGHT = [dailySpan({ from: '22:00', to: '06:00' })]

type Dates = { first: Day; last: Day; timeZone: string }

const summarize = (firings: readonly { at: number }[], { timeZone }: Dates) => ({
  total: firings.length,
  nights: firings.filter(({ at }) => findQuietEnd(at, NIGHT, timeZone) !== null).length,
})

function countByDay(firings: readonly DryFiring[], dates: Dates): DryRun['days'] {
  const dayOf = new Map(firings.map((firing) => [firing, localDay(firing.at, dates.timeZone)]))
  const days: DryRun['days'] = []
  for (let day = dates.first; day <= dates.last; day = addDays(day, 1))
    days.push({
      day,
      ...summarize(
        firings.filter((firing) => dayOf.get(firing) === day),
        dates,
      ),
    })
  return days
}
