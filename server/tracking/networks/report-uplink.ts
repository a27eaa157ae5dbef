import type { UplinkMapping } from '#contracts/networks.ts'
import type { Network } from '#contracts/rules/reading/network-number.ts'
import { writeDevices } from '#db/device-changes.ts'
import { findDevice } from '#db/scope.ts'
import { Failure } from '#server/lib/errors.ts'
import type { ViewerContext } from '#server/ports/world.ts'
import { type IngestWorld, ingest } from '#server/tracking/ingest/ingest.ts'
import { countReported } from '#server/tracking/ingest/report-limit.ts'
import { takeMessage } from '#server/tracking/ingest/take-message.ts'
import type { Battery, StoredUplink, Uplink } from '#server/tracking/networks/formats/uplink.ts'
import { readUplink } from './decoded.ts'
import { type DownlinkWorld, followRoute, sendLater, settleDownlink } from './downlinks.ts'
import {
  findMapping,
  findNetworkTracker,
  hasUplink,
  insertUplink,
  listUplinks,
  type NetworkKeyScope,
  restorePendingMode,
} from './networks.store.ts'

/** The result of a message: a position was stored, it was only a sign of life, there was nothing to do, or it was a duplicate. */
export type UplinkResult = 'position' | 'message' | 'nothing' | 'repeated'

/** Longest JSON of an uplink that is stored for reading it again. */
const MAX_STORED = 16_384

/** Reports an uplink of a network for its tracker, once. Throws `unknown_tracker`. */
export async function reportUplink(
  world: IngestWorld & DownlinkWorld,
  network: Network,
  keyScope: NetworkKeyScope,
  uplink: Uplink,
): Promise<UplinkResult> {
  const { db, clock } = world
  const tracker = await findNetworkTracker(db.read, keyScope, uplink.numbers)
  if (!tracker)
    throw new Failure('unknown_tracker', { errors: { [uplink.numbers[0]?.kind ?? 'number']: ['No tracker of this key has it'] } })
  if (uplink.delivery) await settleDownlink(world, tracker.id, uplink.delivery)
  if (!uplink.isHeard) return 'nothing'
  await followRoute(world, tracker.id, uplink.route)
  if (uplink.id !== null && (await hasUplink(db.read, tracker.id, uplink.id))) return 'repeated'
  const { positions, battery, isPressed, isWithoutFix } = readUplink(uplink, await findMapping(db.read, tracker.id))
  const level = pickBattery(tracker.type, battery)
  const isOwn = keyScope !== 'gateway'
  if (isOwn) await countReported(world, tracker.id, positions.length)
  const pressedAt = uplink.pressedAt ?? (isPressed ? (positions[0]?.datetime ?? uplink.at) : undefined)
  const message = {
    positions,
    ...(level !== undefined && { battery: level }),
    isOwn,
    presses: pressedAt === undefined ? [] : [pressedAt],
    withoutFix: isWithoutFix || uplink.isWithoutFix ? 1 : 0,
  }
  const { accepted, ignored } = await ingest(world, message, tracker.id)
  const body = JSON.stringify(stored(uplink))
  // Stored after the report, so that an uplink is reported again rather than lost if the server stops in between.
  if (uplink.id !== null && body.length <= MAX_STORED) {
    const row = { deviceId: tracker.id, network, uplinkId: uplink.id, body, receivedAt: clock.now() }
    await writeDevices(db, [], (tx) => insertUplink(tx, row))
  }
  sendLater(world, tracker.id)
  if (accepted > 0) return 'position'
  return ignored > 0 && pressedAt === undefined ? 'repeated' : 'message'
}

const stored = ({ at, decoded, payload, located, battery }: Uplink): StoredUplink => ({ at, decoded, payload, located, battery })

/** In the unit of the tracker's type: only a tracker_02 measures millivolts. */
const pickBattery = (type: string, battery: Battery | undefined) => (type === 'tracker_02' ? battery?.millivolts : battery?.percent)

/** The most uplinks that are read again: 30 days at one every 10 minutes. */
const MAX_UPLINKS = 4320
/** Positions per transaction, so that other writers are not blocked for long. */
const GROUP = 500

/**
 * Reads the stored uplinks of a tracker again and adds their positions. The newest comes first, so that all others are late ones, which move
 * nothing and fire no alert. Returns how many positions were new.
 */
export async function readUplinksAgain(context: ViewerContext, deviceId: number, mapping: UplinkMapping): Promise<number> {
  const uplinks = await listUplinks(context.db.read, deviceId, MAX_UPLINKS)
  const reports = uplinks.map((uplink) => readUplink(uplink, mapping)).filter(({ positions }) => positions.length > 0)
  const newest = reports.pop()
  if (!newest) return 0
  let added = await addPositions(context, deviceId, newest)
  const positions = reports.flatMap((report) => report.positions)
  for (let first = 0; first < positions.length; first += GROUP)
    added += await addPositions(context, deviceId, { positions: positions.slice(first, first + GROUP) })
  return added
}

type Report = Pick<ReturnType<typeof readUplink>, 'positions' | 'battery'>

/** Adds positions as of the tracker's last message: it has not reported now, so its pending mode, silence and network are unchanged. */
function addPositions({ db, viewer, positions, geocode, graceDays }: ViewerContext, deviceId: number, report: Report): Promise<number> {
  return writeDevices(db, [`account:${viewer.accountId}`], async (tx) => {
    const device = await findDevice(tx, viewer, deviceId)
    if (!device?.lastMessageAt) return 0
    const at = device.lastMessageAt
    const battery = pickBattery(device.type, report.battery)
    const message = { positions: report.positions, presses: [], ...(battery !== undefined && { battery }) }
    const ports = { positions, geocode, graceDays, clock: { now: () => at } }
    const { receipt } = await takeMessage(tx, ports, { ...device, pendingMode: null }, message)
    await restorePendingMode(tx, device)
    return receipt.accepted
  })
}
