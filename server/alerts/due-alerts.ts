import { hasDeadline, isPairRule, isTimed } from '#contracts/rules/tracking/rules/rule.ts'
import type { DbReader, Tx } from '#db/db.ts'
import type { DeviceRow } from '#db/scope.ts'
import { advanceWatches, startRule } from '#server/alerts/rules/follow-message.ts'
import { startPairWatch } from '#server/alerts/rules/follow-pair.ts'
import type { Watch } from '#server/alerts/rules/watch.ts'
import { findRestStart } from '#server/trackers/records/service.ts'
import { listAccountDeadlines, listDevicesByIds, listWatchedDeviceIds } from './alerts.store.ts'
import { nameTrackers, publishAlert } from './publish-alerts.ts'
import { clearDue, findNextDueRule, listDueTrackers } from './tracker-alerts.store.ts'
import { loadReporting, loadWatches, saveWatches, toFollowed } from './tracker-alerts.ts'

/** Begins the rule of an alert for each of its trackers, so that only what happens from now on fires. */
export async function startRules(tx: Tx, alertId: number, deviceIds: number[], now: Date) {
  for (const device of await listDevicesByIds(tx, deviceIds)) {
    const watches = (await loadWatches(tx, device)).filter((watch) => watch.alertId === alertId)
    await restart(tx, device, watches, now)
  }
}

/** Begins the rules about times of day again, because the owner of the account lives in another time zone now. */
export async function restartDeadlines(tx: Tx, accountId: number, now: Date) {
  const alertIds = await listAccountDeadlines(tx, accountId)
  if (alertIds.length === 0) return
  for (const device of await listDevicesByIds(tx, await listWatchedDeviceIds(tx, alertIds))) {
    const watches = (await loadWatches(tx, device)).filter(({ rule }) => rule !== null && hasDeadline(rule))
    await restart(tx, device, watches, now)
  }
}

async function restart(tx: Tx, device: DeviceRow, watches: Watch[], now: Date) {
  const tracker = toFollowed(device, await loadReporting(tx, device, watches))
  const started: Watch[] = []
  for (const watch of watches) {
    const [other] = watch.pair ? await listDevicesByIds(tx, [watch.pair.other]) : []
    if (other) started.push(startPairWatch(watch, tracker, toFollowed(other, await loadReporting(tx, other, watches)), now.getTime()))
    else started.push(startRule(watch, tracker, now.getTime()))
  }
  await saveWatches(tx, device.id, started)
}

/** Fires the rules that fall due while no message comes. What falls due while a tracker rests fires nothing. */
export const ruleDue = {
  name: 'rule_due',
  next: findNextDueRule,
  due: async (db: DbReader, by: Date) =>
    (await listDueTrackers(db, by)).map(({ id, accountId }) => ({
      ref: `devices/${id}`,
      lock: [`account:${accountId}`] as const,
      async run(tx: Tx, now: Date, _positions: unknown, graceDays: number | null) {
        const [device] = await listDevicesByIds(tx, [id])
        if (!device) return false
        const watches = (await loadWatches(tx, device)).filter(
          ({ rule, dueAt }) => rule && (isTimed(rule) || isPairRule(rule)) && dueAt !== null && dueAt <= now.getTime(),
        )
        const tracker = toFollowed(device, await loadReporting(tx, device, watches))
        const { watches: after, firings } = advanceWatches(watches, tracker, now.getTime())
        await clearDue(tx, { deviceId: id, by: now })
        await saveWatches(tx, id, after)
        if (findRestStart(device, now, graceDays) !== null) return false
        for (const { at, ...firing } of firings) {
          const named = await nameTrackers(tx, device, firing.pair)
          await publishAlert(tx, { ...firing, ...named, at: new Date(at), address: named.device.address }, firing.alertIds, now)
        }
        return firings.length > 0
      },
    })),
}
