import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import { createFixColumns, type FixColumns } from '#contracts/rules/history/fixes.ts'
import { DAY_MS } from '#contracts/rules/time.ts'
import { packCells } from '#contracts/rules/tracking/usual/cells.ts'
import { findReadyAt, LEARNING, learnUsual } from '#contracts/rules/tracking/usual/learn.ts'
import type { Db, DbReader, Tx } from '#db/db.ts'
import { writeDevices } from '#db/device-changes.ts'
import { fromFixed7, type HistoryReader, markNumber, type PositionColumns } from '#db/positions.ts'
import { type DeviceRow, deviceLock } from '#db/scope.ts'
import { findOwnerZone } from '#server/alerts/tracker-alerts.ts'
import { finishInSlices } from '#server/lib/finish-in-slices.ts'
import { endHistory, findLastShown } from '#server/tracking/history/history.ts'
import { findNextLearning, listDueLearning, saveLearnt } from './normal.store.ts'

const DAY_SECONDS = DAY_MS / 1000
/** Positions that are read of one day: more than one every ten seconds. */
const MOST_PER_DAY = 10_000
/** A day with more positions than its share of the limit is thinned out to one every two minutes. */
const THIN = { from: Math.floor(LEARNING.fixes / LEARNING.days), seconds: 120 } as const

type LearningWorld = { db: Db; graceDays: number | null }

/** Learns where a tracker usually is; `learntAt` is null if its positions do not span enough days. */
async function learn({ db, graceDays }: LearningWorld, device: DeviceRow, now: Date) {
  const positions = endHistory(db.history(), findLastShown(device, now, graceDays))
  const fixes = await readFixes(positions, device.id, now)
  const dueAt = new Date(now.getTime() + DAY_MS)
  const [first, last] = [fixes.datetime[0], fixes.datetime[fixes.length - 1]]
  if (first === undefined || last === undefined || last < findReadyAt(first)) return { cells: null, learnt: null, learntAt: null, dueAt }
  const { cells, ...learnt } = await finishInSlices(learnUsual(fixes, await findOwnerZone(db.read, device.accountId)))
  return { cells: packCells(cells), learnt, learntAt: now, dueAt }
}

/** The first and the last valid position of the days from which is learnt (ms). */
export async function findSpan(positions: HistoryReader, deviceId: number, now: Date): Promise<{ first: number; last: number } | null> {
  const end = Math.floor(now.getTime() / 1000)
  const start = end - LEARNING.days * DAY_SECONDS
  const [first] = await positions.range(deviceId, start, end, 1, 0)
  const last = await positions.latest(deviceId, start, end)
  return first && last ? { first: first.time * 1000, last: last.time * 1000 } : null
}

/** Reads day by day, so that a tracker with many positions does not hold back other requests. */
async function readFixes(positions: HistoryReader, deviceId: number, now: Date): Promise<FixColumns> {
  const end = Math.floor(now.getTime() / 1000)
  const kept: (LatLng & { time: number; precision: number })[] = []
  for (let day = LEARNING.days; day > 0; day--) {
    const from = end - day * DAY_SECONDS + 1
    const stored = await positions.columns(deviceId, from, from + DAY_SECONDS - 1, MOST_PER_DAY)
    const least = stored.time.length > THIN.from ? THIN.seconds : 0
    for (let index = 0, last = Number.NEGATIVE_INFINITY; index < stored.time.length; index++) {
      const time = stored.time[index]!
      if (!isBelieved(stored, index) || time - last < least) continue
      last = time
      kept.push({ time, lat: fromFixed7(stored.lat[index]!), lng: fromFixed7(stored.lng[index]!), precision: stored.precision[index]! })
    }
  }
  const fixes = createFixColumns(kept.length)
  for (const [index, { time, lat, lng, precision }] of kept.entries()) {
    fixes.datetime[index] = time * 1000
    fixes.lat[index] = lat
    fixes.lng[index] = lng
    fixes.precision[index] = precision
  }
  return fixes
}

const KEPT = markNumber('kept')
const isBelieved = ({ mark }: PositionColumns, index: number) => mark[index] === null || mark[index] === KEPT

/** Learns once a day where the trackers are usually, of which an owner wants to know it. */
export const learnNormals = {
  name: 'learn_normals',
  next: findNextLearning,
  due: async (db: DbReader, by: Date) =>
    (await listDueLearning(db, by)).map(({ id, version, device }) => {
      let found: Awaited<ReturnType<typeof learn>> | undefined
      return {
        ref: `devices/${id}`,
        lock: deviceLock(id),
        async prepare(world: LearningWorld, now: Date) {
          found = await learn(world, device, now)
        },
        run: async (tx: Tx) => found !== undefined && saveLearnt(tx, { deviceId: id, version, ...found }),
      }
    }),
}

/** Learns all that is due in a database that no server uses yet. */
export async function learnDue(world: LearningWorld, now: Date) {
  for (const { lock, prepare, run } of await learnNormals.due(world.db.read, now)) {
    await prepare(world, now)
    await writeDevices(world.db, lock, run)
  }
}
