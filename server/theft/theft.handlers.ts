import { DAY_MS, MINUTE_MS } from '#contracts/rules/time.ts'
import type { theft as contract, TheftReportChange } from '#contracts/theft.ts'
import { touch, writeDevices } from '#db/device-changes.ts'
import { findAccountOwner, findLanguage } from '#db/people.ts'
import { fromFixed7 } from '#db/positions.ts'
import type { DeviceRow } from '#db/scope.ts'
import { getOwnedDevice, getOwnedDeviceInTx } from '#server/http/access/owned-device.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure, invalidField } from '#server/lib/errors.ts'
import { runInWorker } from '#server/lib/workers/run-in-worker.ts'
import { findLiveUrl, mayShare } from '#server/links/valid-link.ts'
import { readPhoto } from '#server/photos/photo-files.ts'
import { drawMapPicture } from '#server/pictures/map-picture.ts'
import type { World } from '#server/ports/world.ts'
import { toShownDevice } from '#server/trackers/records/service.ts'
import { chooseSerialView, showSerial } from '#server/trackers/serials/shown-serial.ts'
import { presentForm, presentReport } from './theft.present.ts'
import { findNewestReport, findOpenReport, insertReport, updateReport } from './theft.store.ts'
import { type drawForm, MAP_SIZE } from './theft-pdf.ts'

/** How far in the future the time of a theft may be, because the clock of the reporting person may be fast. */
const THEFT_AHEAD_MINUTES = 5

const SECOND_MS = 1000
/** Positions drawn on the map of the form. */
const MAX_TRACK = 2000

export const theft: Handlers<typeof contract> = {
  async read({ params }, { db, viewer }) {
    const device = await getOwnedDevice({ db, viewer }, params.id)
    const report = await findNewestReport(db.read, device.id)
    if (!report) throw new Failure('no_report')
    return presentReport(report)
  },
  async open({ params, body }, { db, viewer, clock }) {
    const now = clock.now()
    const asked = { ...parseReportFields(body), date: parseTheftDate(body.date, now), address: body.address, description: body.description }
    return writeDevices(db, [`account:${viewer.accountId}`], async (tx) => {
      const device = await getOwnedDeviceInTx(tx, viewer, params.id)
      if (await findOpenReport(tx, device.id)) throw new Failure('theft_open')
      touch(tx, device)
      const report = { policeReference: null, ...asked, deviceId: device.id, status: 'open' as const, createdAt: now, closedAt: null }
      return presentReport(await insertReport(tx, report))
    })
  },
  async change({ params, body }, { db, viewer, clock }) {
    const now = clock.now()
    const change = { ...parseReportFields(body), ...(body.date !== undefined && { date: parseTheftDate(body.date, now) }) }
    const end = body.status === 'closed' ? { status: 'closed' as const, closedAt: now } : {}
    return writeDevices(db, [`account:${viewer.accountId}`], async (tx) => {
      const device = await getOwnedDeviceInTx(tx, viewer, params.id)
      const report = await findOpenReport(tx, device.id)
      if (!report) throw new Failure('no_report')
      touch(tx, device)
      return presentReport(await updateReport(tx, report.id, { status: 'open', ...change, ...end }))
    })
  },
  async form({ params }, world) {
    const { db, viewer, clock } = world
    const now = clock.now()
    const device = toShownDevice(await getOwnedDevice({ db, viewer }, params.id), now)
    const [owner, report, language, liveUrl, map, photo] = await Promise.all([
      findAccountOwner(db.read, device.accountId),
      findOpenReport(db.read, device.id),
      findLanguage(db.read, viewer.userId),
      // The address of a link is shown to users who may create one.
      mayShare(viewer) ? findLiveUrl(world, device.id) : undefined,
      drawLastDay(world, device),
      readPhoto(db.read, device.photo, 'large'),
    ])
    if (!owner) throw new Failure('not_found')
    const serial = showSerial(device.serial, chooseSerialView(viewer))
    const form = presentForm({ device: { ...device, serial }, owner, report, now, liveUrl }, language)
    return { filename: `theft_form_${device.id}.pdf`, content: await runInWorker<typeof drawForm>('form', form, now, { map, photo }) }
  },
}

/** A map of the last position and of the 24 hours before it; undefined when it cannot be drawn, because the police need the rest of the form. */
async function drawLastDay({ map, positions, db }: Pick<World, 'map' | 'positions' | 'db'>, device: DeviceRow) {
  const { id, kind, lat, lng, precision, positionAt, photo } = device
  if (!map || lat === null || lng === null || !positionAt) return undefined
  const to = Math.floor(positionAt.getTime() / SECOND_MS)
  const from = to - DAY_MS / SECOND_MS
  const skipped = Math.max(0, (await positions.believed.count(id, from, to)) - MAX_TRACK)
  const toPoint = (at: { lat: number; lng: number }) => ({ lat: fromFixed7(at.lat), lng: fromFixed7(at.lng) })
  return drawMapPicture(map, {
    width: 2 * MAP_SIZE.width,
    height: 2 * MAP_SIZE.height,
    format: 'jpeg',
    pins: [{ ...toPoint({ lat, lng }), kind, precision, photo: await readPhoto(db.read, photo, 'small') }],
    track: (await positions.believed.range(id, from, to, MAX_TRACK, skipped)).map(toPoint),
  }).catch(() => undefined)
}

/** The time of the theft. Throws when it is in the future, with a tolerance for fast clocks. */
function parseTheftDate(text: string, now: Date) {
  const date = new Date(text)
  if (date.getTime() > now.getTime() + THEFT_AHEAD_MINUTES * MINUTE_MS) throw invalidField('date', 'Must not be in the future')
  return date
}

/** Text fields of the report; an empty reference becomes null. */
const parseReportFields = ({ address, description, police_reference: reference }: TheftReportChange) => ({
  ...(address !== undefined && { address }),
  ...(description !== undefined && { description }),
  ...(reference !== undefined && { policeReference: reference || null }),
})
