import type { places as contract, Place } from '#contracts/places.ts'
import { byName } from '#contracts/rules/text.ts'
import type { DbReader } from '#db/db.ts'
import { writeDevices } from '#db/device-changes.ts'
import { fromFixed7 } from '#db/positions.ts'
import type { Viewer } from '#db/scope.ts'
import { removeAlertsOfPlace } from '#server/alerts/change-alerts.ts'
import type { Handlers } from '#server/http/serve.ts'
import { withSpooled } from '#server/http/spool.ts'
import { Failure, invalidField } from '#server/lib/errors.ts'
import { requireRoom } from '#server/lib/limits/account-limit.ts'
import { countBytes, countUpload } from '#server/lib/limits/daily-uploads.ts'
import { runInWorker } from '#server/lib/workers/run-in-worker.ts'
import { changeBorder, hasOtherBorder, toColumns } from './borders.ts'
import { locatePlaces, requireLocation, scalePoint } from './locate.ts'
import {
  clearPlaceCrossings,
  countPlaces,
  findVisiblePlace,
  insertPlaces,
  listVisibleDeviceIds,
  listVisiblePlaces,
  type PlaceWithDevices,
  removePlace,
  replacePlaceDevices,
  updatePlace,
} from './places.store.ts'
import type { readPlaces } from './read-places.ts'

export const places: Handlers<typeof contract> = {
  async list(_, { db, viewer }) {
    return (await listVisiblePlaces(db.read, viewer)).map(presentPlace).sort(byName)
  },

  async create({ body: { devices, lat, lng, shape, ...values } }, { db, viewer, geocode }) {
    const spot = shape
      ? toColumns(shape)
      : { shape: null, ...(scalePoint({ lat, lng }) ?? (await requireLocation(geocode, values.address))) }
    const place = { ...values, ...spot, accountId: viewer.accountId }
    return presentPlace(
      await writeDevices(db, [`account:${viewer.accountId}`], async (tx) => {
        const enabled = await validateDevices(tx, viewer, devices)
        requireRoom('places', await countPlaces(tx, viewer.accountId))
        const [added] = await insertPlaces(tx, [place])
        await replacePlaceDevices(tx, viewer, added!.id, enabled)
        return { place: added!, devices: enabled }
      }),
    )
  },

  async get({ params }, { db, viewer }) {
    const found = await findVisiblePlace(db.read, viewer, params.id)
    if (!found) throw new Failure('not_found')
    return presentPlace(found)
  },

  async update({ params: { id }, body }, { db, viewer, geocode }) {
    const { devices, lat, lng, shape: _, ...values } = body
    const { address } = values
    const before = await findVisiblePlace(db.read, viewer, id)
    if (!before) throw new Failure('not_found')
    const drawn = body.shape && toColumns(body.shape)
    const isCircle = body.shape === null || (!drawn && !before.place.shape)
    const isElsewhere = isCircle && address !== undefined && address !== before.place.address
    const moved = scalePoint({ lat, lng }) ?? (isElsewhere ? await requireLocation(geocode, address) : undefined)
    return presentPlace(
      await writeDevices(db, [`account:${viewer.accountId}`], async (tx) => {
        const known = await findVisiblePlace(tx, viewer, id)
        if (!known) throw new Failure('not_found')
        const enabled = devices && (await validateDevices(tx, viewer, devices))
        const place = changeBorder({ ...known.place, ...values, ...moved }, known.place, body.shape === null ? null : drawn)
        await updatePlace(tx, place)
        if (enabled) await replacePlaceDevices(tx, viewer, id, enabled)
        if (hasOtherBorder(place, known.place)) await clearPlaceCrossings(tx, id)
        return { place, devices: enabled ?? known.devices }
      }),
    )
  },

  async remove({ params: { id } }, { db, viewer, clock }) {
    const deletedAlerts = await writeDevices(db, [`account:${viewer.accountId}`], async (tx) => {
      if (!(await findVisiblePlace(tx, viewer, id))) throw new Failure('not_found')
      const alertIds = await removeAlertsOfPlace(tx, id, clock.now())
      await removePlace(tx, id)
      return alertIds
    })
    return { id, deleted_alerts: deletedAlerts }
  },

  async importCsv({ body }, context) {
    const { db, viewer, geocode } = context
    await countUpload(context, 'places')
    const records = await withSpooled(body, async ({ fd, size }) => {
      await countBytes(context, 'places', size)
      return runInWorker<typeof readPlaces>('places', fd)
    })
    const { rows, errors } = await locatePlaces(records, geocode)
    if (rows.length === 0) throw new Failure('no_good_row', { created: [], errors })
    const { accountId } = viewer
    const added = await writeDevices(db, [`account:${viewer.accountId}`], async (tx) => {
      requireRoom('places', await countPlaces(tx, accountId), rows.length)
      return insertPlaces(
        tx,
        rows.map((row) => ({ ...row, accountId })),
      )
    })
    return { created: added.map((place) => presentPlace({ place, devices: [] })), errors }
  },
}

/** Returns the ids sorted and without duplicates. Throws when one is not a tracker the viewer may see. */
async function validateDevices(db: DbReader, viewer: Viewer, ids: number[]) {
  const own = ids.length > 0 ? await listVisibleDeviceIds(db, viewer) : new Set<number>()
  if (ids.some((id) => !own.has(id))) throw invalidField('devices', 'Not a tracker of yours')
  return [...new Set(ids)].sort((a, b) => a - b)
}

const presentPlace = ({ place: { id, name, address, type, radius, lat, lng, shape }, devices }: PlaceWithDevices): Place => ({
  id,
  name,
  address,
  type,
  radius,
  devices,
  lat: fromFixed7(lat),
  lng: fromFixed7(lng),
  ...(shape && { shape }),
})
