import type { UplinkMapping } from '#contracts/networks.ts'
import { writeDevices } from '#db/device-changes.ts'
import { findDevice } from '#db/scope.ts'
import type { LiveEvent } from '#server/ports/live.ts'
import type { ViewerContext } from '#server/ports/world.ts'
import { takeMessage } from '#server/tracking/ingest/take-message.ts'
import { readUplink } from './decoded.ts'
import { listUplinks, restorePendingMode } from './networks.store.ts'
import { pickBattery } from './report-uplink.ts'

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

type Report = ReturnType<typeof readUplink>

/** Adds positions as of the tracker's last message: it has not reported now, so its pending mode, silence and network stay as they are. */
async function addPositions({ db, viewer, positions, geocode, live }: ViewerContext, deviceId: number, report: Report): Promise<number> {
  const outcome = await writeDevices(db, [`account:${viewer.accountId}`], async (tx, touch) => {
    const device = await findDevice(tx, viewer, deviceId)
    if (!device?.lastMessageAt) return { accepted: 0, events: [] as LiveEvent[] }
    const at = device.lastMessageAt
    const battery = pickBattery(device.type, report.battery)
    const message = { positions: report.positions, ...(battery !== undefined && { battery }) }
    touch(device)
    const { receipt, events } = await takeMessage(
      tx,
      { positions, geocode, clock: { now: () => at } },
      { ...device, pendingMode: null },
      message,
    )
    await restorePendingMode(tx, device)
    return { accepted: receipt.accepted, events }
  })
  for (const event of outcome.events) live.publish(event)
  return outcome.accepted
}
