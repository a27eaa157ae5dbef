import { distanceMeters, type LatLng } from '#contracts/rules/geo/coordinates.ts'
import { findContainingPlace } from '#contracts/rules/geo/place.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import { centerOf, unpackCells } from '#contracts/rules/tracking/usual/cells.ts'
import { findReadyAt, findReadyDay } from '#contracts/rules/tracking/usual/learn.ts'
import { type normal as contract, MOST_SUGGESTED, type Normal, type SuggestedPlace } from '#contracts/trackers/normal.ts'
import { addressOf } from '#db/addresses.ts'
import { writeDevices } from '#db/device-changes.ts'
import { switchLearning } from '#db/usual-areas.ts'
import { findOwnerZone } from '#server/alerts/tracker-alerts.ts'
import { getOwnedDevice, getOwnedDeviceInTx } from '#server/http/access/owned-device.ts'
import type { Handlers } from '#server/http/serve.ts'
import { listBorders } from '#server/places/borders.ts'
import type { ViewerContext } from '#server/ports/world.ts'
import { endHistory, findLastShown } from '#server/tracking/history/history.ts'
import { findSpan } from './learn-normal.ts'
import { findUsualArea, listUsualAreas, saveDismissed } from './normal.store.ts'

export const normal: Handlers<typeof contract> = {
  read: ({ params }, context) => readNormal(context, params.id),

  async set({ params, body: { enabled } }, { db, clock, viewer }) {
    return writeDevices(db, [`account:${viewer.accountId}`], async (tx) => {
      const device = await getOwnedDeviceInTx(tx, viewer, params.id)
      await switchLearning(tx, device.id, enabled, clock.now())
      return { enabled }
    })
  },

  async dismiss({ params, body: { points } }, { db, viewer }) {
    return writeDevices(db, [`account:${viewer.accountId}`], async (tx) => {
      const device = await getOwnedDeviceInTx(tx, viewer, params.id)
      const known = (await findUsualArea(tx, device.id))?.dismissed ?? []
      const others = known.filter((each) => !isSame(each, points))
      const dismissed = [...others, points].slice(-MOST_DISMISSED)
      await saveDismissed(tx, device.id, dismissed)
      return { dismissed: dismissed.length }
    })
  },

  async suggest(_, { db, viewer, geocode }) {
    const known = await listBorders(db.read, viewer)
    const found = (await listUsualAreas(db.read, viewer)).flatMap(({ deviceId, learnt, dismissed }) =>
      (learnt?.places ?? []).filter((place) => !dismissed?.some((each) => isSame(each, [place]))).map((place) => ({ ...place, deviceId })),
    )
    const suggested: Omit<SuggestedPlace, 'address'>[] = []
    for (const { deviceId, ...place } of found.sort((a, b) => b.days - a.days)) {
      const same = suggested.find((each) => isSame([each], [place]))
      if (same) same.devices = [...new Set([...same.devices, deviceId])]
      else if (!findContainingPlace(known, place)) suggested.push({ ...place, devices: [deviceId] })
    }
    return suggested.slice(0, MOST_SUGGESTED).map((place) => ({ ...place, address: addressOf(geocode.nearest, place) }))
  },
}

/** Where a tracker usually is. */
export async function readNormal(context: ViewerContext, id: number): Promise<Normal> {
  const { db, clock, geocode, graceDays } = context
  const device = await getOwnedDevice(context, id)
  const now = clock.now()
  const row = await findUsualArea(db.read, device.id)
  const span = await findSpan(endHistory(db.history(), findLastShown(device, now, graceDays)), device.id, now)
  const isReady = span === null || span.last >= findReadyAt(span.first)
  const { places = [], ways = [] } = row?.learnt ?? {}
  const isDismissed = (points: readonly LatLng[]) => row?.dismissed?.some((each) => isSame(each, points)) ?? false
  return {
    enabled: row?.isOn ?? false,
    ready_from: isReady ? null : findReadyDay(span.first, await findOwnerZone(db.read, device.accountId)),
    learnt_at: row?.learntAt ? formatInstant(row.learntAt) : null,
    places: places.map((place) => ({ ...place, address: addressOf(geocode.nearest, place), dismissed: isDismissed([place]) })),
    ways: ways.map((way) => ({ ...way, dismissed: isDismissed(outlineOf(way.points)) })),
    cells: row?.cells ? presentCells(row.cells) : [],
  }
}

const MOST_DISMISSED = 100
/** The middle of a place, and the points of a way, differ a little each time they are learnt. */
const SAME_METERS = 200

const isSame = (a: readonly LatLng[], b: readonly LatLng[]) =>
  a.length === b.length && a.every((point, index) => distanceMeters(point, b[index]!) <= SAME_METERS)

/** The first, the middle and the last point of a way, by which it is dismissed. */
const outlineOf = (points: readonly LatLng[]) => [points[0]!, points[points.length >> 1]!, points.at(-1)!]

const presentCells = (packed: string): Normal['cells'] =>
  Array.from(unpackCells(packed), (cell) => {
    const { lat, lng } = centerOf(cell)
    return [Math.round(lat * 1e5) / 1e5, Math.round(lng * 1e5) / 1e5]
  })
