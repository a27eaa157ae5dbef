import type { Network } from '#contracts/rules/network-number.ts'
import { writeDevices } from '#db/device-changes.ts'
import { Failure } from '#server/lib/errors.ts'
import { type IngestWorld, ingest } from '#server/tracking/ingest/ingest.ts'
import { countReported } from '#server/tracking/ingest/report-limit.ts'
import type { Battery, StoredUplink, Uplink } from '#server/tracking/networks/formats/uplink.ts'
import { readUplink } from './decoded.ts'
import { type DownlinkWorld, followRoute, sendLater, settleDownlink } from './downlinks.ts'
import { findMapping, findNetworkTracker, hasUplink, insertUplink, type NetworkSpeaker } from './networks.store.ts'

/** What became of a message: a position was stored, it was only a sign of life, nothing was to be done, or it was known already. */
export type UplinkResult = 'position' | 'message' | 'nothing' | 'repeated'

/** Longest JSON of an uplink that is stored to be read again. */
const MAX_STORED = 16_384

/** Reports an uplink of a network for its tracker, once. Throws `unknown_tracker`. */
export async function reportUplink(
  world: IngestWorld & DownlinkWorld,
  network: Network,
  speaker: NetworkSpeaker,
  uplink: Uplink,
): Promise<UplinkResult> {
  const { db, clock } = world
  const tracker = await findNetworkTracker(db.read, speaker, uplink.numbers)
  if (!tracker)
    throw new Failure('unknown_tracker', { errors: { [uplink.numbers[0]?.kind ?? 'number']: ['No tracker of this key has it'] } })
  if (uplink.delivery) await settleDownlink(world, tracker.id, uplink.delivery)
  if (!uplink.isHeard) return 'nothing'
  await followRoute(world, tracker.id, uplink.route)
  if (uplink.id !== null && (await hasUplink(db.read, tracker.id, uplink.id))) return 'repeated'
  const { positions, battery } = readUplink(uplink, await findMapping(db.read, tracker.id))
  const level = pickBattery(tracker.type, battery)
  const isOwn = speaker !== 'gateway'
  if (isOwn) await countReported(world, tracker.id, positions.length)
  await ingest(world, { positions, ...(level !== undefined && { battery: level }), isOwn, pressedAt: uplink.pressedAt }, tracker.id)
  const body = JSON.stringify(stored(uplink))
  // Stored after the report, so that an uplink is reported again rather than lost if the server stops in between.
  if (uplink.id !== null && body.length <= MAX_STORED) {
    const row = { deviceId: tracker.id, network, uplinkId: uplink.id, body, receivedAt: clock.now() }
    await writeDevices(db, [], (tx) => insertUplink(tx, row))
  }
  sendLater(world, tracker.id)
  return positions.length > 0 ? 'position' : 'message'
}

const stored = ({ at, decoded, payload, located, battery }: Uplink): StoredUplink => ({ at, decoded, payload, located, battery })

/** In the unit of the tracker's type: only a tracker_02 measures millivolts. */
export const pickBattery = (type: string, battery: Battery | undefined) => (type === 'tracker_02' ? battery?.millivolts : battery?.percent)
