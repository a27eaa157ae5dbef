import type { links as contract, groupLinks as groupContract } from '#contracts/links.ts'
import { computeLinkDates, type LinkFault, type LinkRequest, MAX_LINK_TRACKERS, MAX_PUBLIC_LINKS } from '#contracts/rules/link.ts'
import { APPROACH_MS, estimateArrival } from '#contracts/rules/tracking/arrival.ts'
import type { Tx } from '#db/db.ts'
import { touch, writeDevices } from '#db/device-changes.ts'
import { fromFixed7, type PositionStore } from '#db/positions.ts'
import type { DeviceRow, Viewer } from '#db/scope.ts'
import { getOwnedDevice, getOwnedDeviceInTx } from '#server/http/access/owned-device.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure, invalidField } from '#server/lib/errors.ts'
import type { ViewerContext } from '#server/ports/world.ts'
import { recordEvent } from '#server/security/security-log.ts'
import { findRestStart } from '#server/trackers/records/service.ts'
import { hideUuid, presentDestination, presentLink, presentShared } from './links.present.ts'
import { addLink, findPlaceForLink, type LinkRow, listDevicesForLink, listLinks, removeLink } from './links.store.ts'
import { computeWindow, findValidLink, mayShare } from './valid-link.ts'

/** A link shows at most this many of the newest fixes: about a week of a fix every two minutes. Its trackers share them equally. */
const MOST_POSITIONS = 5000

const reasons: Record<LinkFault, string> = {
  required: 'Required unless the link is permanent',
  past: 'Must be later than now',
  before_start: 'Must be later than the start',
}

export const links: Handlers<typeof contract> = {
  async listOf({ params }, { db, viewer }) {
    const device = await getOwnedDevice({ db, viewer }, params.id)
    const found = (await listLinks(db.read, viewer, device.id)).map((details) => presentLink(details))
    return mayShare(viewer) ? found : found.map(hideUuid)
  },

  create: ({ params, body }, context) => createLink(context, body, async (tx) => [await getOwnedDeviceInTx(tx, context.viewer, params.id)]),

  async remove({ params }, context) {
    await writeDevices(context.db, [`account:${context.viewer.accountId}`], async (tx) => {
      const removed = await removeLink(tx, context.viewer, params.uuid)
      if (!removed) throw new Failure('not_found')
      for (const device of removed) touch(tx, device)
      await recordEvent(tx, context, { kind: 'link_removed', ...describeDevices(removed) })
    })
    return { uuid: params.uuid }
  },

  async list(_, { db, viewer }) {
    const found = await listLinks(db.read, viewer)
    const presented = found.map((details) => ({ ...presentLink(details), device: details.first.id, device_name: details.first.name }))
    return mayShare(viewer) ? presented : presented.map(hideUuid)
  },

  async read({ params }, { db, positions, clock, graceDays }) {
    const now = clock.now()
    const shared = await findValidLink(db.read, params.uuid, now)
    if (!shared) throw new Failure('invalid_link')
    const { link, trackers } = shared
    const destination = shared.destination && presentDestination(shared.destination)
    const most = Math.floor(MOST_POSITIONS / trackers.length)
    const shown = []
    for (const tracker of trackers) {
      if (findRestStart(tracker, now, graceDays)) {
        shown.push({ tracker, rows: [], arrivesAt: null, isResting: true })
        continue
      }
      const rows = await listPositions(link, tracker.id, positions, { most, now })
      const arrivesAt = destination && estimateArrival(await listApproach(link, tracker.id, positions, now), destination, now)
      shown.push({ tracker, rows, arrivesAt, isResting: false })
    }
    return presentShared(link, destination, shown[0]!, shown.slice(1))
  },
}

export const groupLinks: Handlers<typeof groupContract> = {
  create: ({ body }, context) => createLink(context, body, (tx) => findLinkDevices(tx, context.viewer, body)),
}

type NewLink = LinkRequest & { label: string; permanent: boolean; last_point: boolean; destination?: number | null | undefined } & Answer
type Answer = { [name in 'shared_by' | 'phone' | 'note']?: string | null | undefined }

/** Creates a link to the trackers that `find` returns, in that order. */
async function createLink(context: ViewerContext, body: NewLink, find: (tx: Tx) => Promise<DeviceRow[]>) {
  const { db, clock, ids } = context
  const now = clock.now()
  const { devices, link, destination } = await writeDevices(db, [`account:${context.viewer.accountId}`], async (tx) => {
    const devices = await find(tx)
    const destination = await findDestination(tx, context.viewer, body.destination)
    const dates = computeLinkDates(body, now)
    if (typeof dates === 'string') throw invalidField('end_date', reasons[dates])
    for (const device of devices) touch(tx, device)
    const [first, ...others] = devices.map(({ id }) => id)
    const row: LinkRow = {
      uuid: ids.uuid(),
      deviceId: first!,
      label: body.label,
      startsAt: dates.start,
      endsAt: dates.end,
      isPermanent: body.permanent,
      showsLastPoint: body.last_point,
      createdAt: now,
      destinationId: destination?.id ?? null,
      endToldAt: null,
      createdBy: context.viewer.userId,
      sharedBy: body.shared_by || null,
      phone: body.phone || null,
      note: body.note || null,
    }
    const link = await addLink(tx, row, others, MAX_PUBLIC_LINKS)
    if ('full' in link) throw new Failure('too_many_links', others.length > 0 ? { devices: link.full } : {})
    await recordEvent(tx, context, { kind: 'link_added', ...describeDevices(devices) })
    return { devices, link, destination }
  })
  const [first, ...others] = devices.map(({ id, name }) => ({ id, name }))
  return presentLink({ link, first: first!, others, destination, maker: null })
}

async function findDestination(tx: Tx, viewer: Viewer, id: number | null | undefined) {
  if (id === undefined || id === null) return null
  const place = await findPlaceForLink(tx, viewer, id)
  if (!place) throw invalidField('destination', 'Names a place that is not yours')
  return place
}

/** The trackers of a new link: those named, in that order, or those that have the tag, by name. */
async function findLinkDevices(tx: Tx, viewer: Viewer, { devices, tag }: { devices?: number[] | undefined; tag?: number | undefined }) {
  if ((devices === undefined) === (tag === undefined)) throw invalidField('devices', 'Either trackers or a tag')
  if (tag !== undefined) {
    const tagged = await listDevicesForLink(tx, viewer, { tag })
    if (tagged.length === 0) throw invalidField('tag', 'No tracker of yours has this tag')
    if (tagged.length > MAX_LINK_TRACKERS) throw invalidField('tag', `More than ${MAX_LINK_TRACKERS} trackers have this tag`)
    return tagged
  }
  const wanted = [...new Set(devices)]
  const found = await listDevicesForLink(tx, viewer, { ids: wanted })
  if (found.length < wanted.length) throw invalidField('devices', 'Names a tracker that is not yours')
  return found.toSorted((a, b) => wanted.indexOf(a.id) - wanted.indexOf(b.id))
}

const describeDevices = (devices: readonly { id: number; name: string }[]) => ({
  aboutId: devices[0]!.id,
  about: devices.map(({ name }) => name).join(', '),
})

/** The newest fixes that a link shows of a tracker, oldest first: only valid ones. */
async function listPositions(link: LinkRow, deviceId: number, positions: PositionStore, { most, now }: { most: number; now: Date }) {
  const { from, to } = computeWindow(link, now)
  if (link.showsLastPoint) return [await positions.believed.latest(deviceId, from, to)].filter((row) => row !== null)
  const skipped = Math.max(0, (await positions.believed.count(deviceId, from, to)) - most)
  return positions.believed.range(deviceId, from, to, most, skipped)
}

/** The fixes of the latest minutes for estimating an arrival, of those the link may show. */
async function listApproach(link: LinkRow, deviceId: number, positions: PositionStore, now: Date) {
  const { from, to } = computeWindow(link, now)
  const newest = await positions.believed.latest(deviceId, from, to)
  if (!newest) return []
  const rows = await positions.believed.range(deviceId, Math.max(from, newest.time - APPROACH_MS / 1000), to, MOST_POSITIONS, 0)
  return rows.map((row) => ({ ...toDegrees(row), precision: row.precision, datetime: row.time * 1000 }))
}

const toDegrees = ({ lat, lng }: { lat: number; lng: number }) => ({ lat: fromFixed7(lat), lng: fromFixed7(lng) })
