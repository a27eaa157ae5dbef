import { MAX_PUBLIC_LINKS } from '#contracts/lib/constants.ts'
import type { links as contract } from '#contracts/links.ts'
import { computeLinkDates, type LinkFault } from '#contracts/rules/link.ts'
import { writeDevices } from '#db/device-changes.ts'
import type { PositionStore } from '#db/positions.ts'
import { getOwnedDevice, getOwnedDeviceInTx } from '#server/devices/get-device.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure, invalidField } from '#server/lib/errors.ts'
import { recordEvent } from '#server/security/security-log.ts'
import { presentLink, presentShared } from './links.present.ts'
import { addLink, type LinkRow, listLinks, listLinksOfDevice, removeLink } from './links.store.ts'
import { computeWindow, findValidLink } from './valid-link.ts'

/** A shared trace shows at most this many of the newest fixes: about a week of a fix every two minutes. */
const MOST_POSITIONS = 5000

const reasons: Record<LinkFault, string> = {
  required: 'Required unless the link is permanent',
  past: 'Must be later than now',
  before_start: 'Must be later than the start',
}

export const links: Handlers<typeof contract> = {
  async listOf({ params }, { db, viewer }) {
    const device = await getOwnedDevice({ db, viewer }, params.id)
    return (await listLinksOfDevice(db.read, device.id)).map(presentLink)
  },

  async create({ params, body }, context) {
    const { db, viewer, clock, ids } = context
    const device = await getOwnedDevice({ db, viewer }, params.id)
    const now = clock.now()
    const dates = computeLinkDates(body, now)
    if (typeof dates === 'string') throw invalidField('end_date', reasons[dates])
    const link: LinkRow = {
      uuid: ids.uuid(),
      deviceId: device.id,
      label: body.label,
      startsAt: dates.start,
      endsAt: dates.end,
      isPermanent: body.permanent,
      showsLastPoint: body.last_point,
      createdAt: now,
      endToldAt: null,
    }
    const added = await writeDevices(db, async (tx, touch) => {
      touch(device)
      const row = await addLink(tx, link, MAX_PUBLIC_LINKS)
      if (row) await recordEvent(tx, context, { kind: 'link_added', aboutId: device.id, about: device.name })
      return row
    })
    if (!added) throw new Failure('too_many_links')
    return presentLink(added)
  },

  async remove({ params }, context) {
    await writeDevices(context.db, async (tx, touch) => {
      const device = await removeLink(tx, context.viewer, params.uuid)
      if (!device) throw new Failure('not_found')
      touch(device)
      const { name } = await getOwnedDeviceInTx(tx, context.viewer, device.id)
      await recordEvent(tx, context, { kind: 'link_removed', aboutId: device.id, about: name })
    })
    return { uuid: params.uuid }
  },

  async list(_, { db, viewer }) {
    const found = await listLinks(db.read, viewer)
    return found.map(({ link, deviceName }) => ({ ...presentLink(link), device: link.deviceId, device_name: deviceName }))
  },

  async read({ params }, { db, positions, clock }) {
    const now = clock.now()
    const shared = await findValidLink(db.read, params.uuid, now)
    if (!shared) throw new Failure('invalid_link')
    return presentShared(shared, await positionsOf(shared.link, positions, now))
  },
}

/** The fixes a link shows, oldest first: only those that are believed. */
async function positionsOf(link: LinkRow, positions: PositionStore, now: Date) {
  const { from, to } = computeWindow(link, now)
  if (link.showsLastPoint) return [await positions.believed.latest(link.deviceId, from, to)].filter((row) => row !== null)
  const skipped = Math.max(0, (await positions.believed.count(link.deviceId, from, to)) - MOST_POSITIONS)
  return positions.believed.range(link.deviceId, from, to, MOST_POSITIONS, skipped)
}
