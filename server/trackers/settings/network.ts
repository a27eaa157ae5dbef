import { currentNetworkState, silenceStart } from '#contracts/rules/tracking/reporting.ts'
import { writeDevices } from '#db/device-changes.ts'
import { getOwnedDeviceInTx } from '#server/http/access/owned-device.ts'
import { appendLiveEvent } from '#server/live/live-log.store.ts'
import type { ViewerContext } from '#server/ports/world.ts'
import { loadConfig } from '#server/trackers/records/device.ts'
import { updateDevice } from '#server/trackers/records/devices.store.ts'

/** Activates the network of a silent tracker and restarts its count of silent days. Does nothing when it is active. */
export function activateNetwork({ db, clock, viewer }: ViewerContext, id: number) {
  const now = clock.now()
  return writeDevices(db, [`account:${viewer.accountId}`], async (tx) => {
    const device = await getOwnedDeviceInTx(tx, viewer, id)
    const isActive = currentNetworkState(silenceStart(device), device.networkState, now) === 'active'
    if (isActive) return loadConfig(tx, device, now)
    const change = { networkState: 'active' as const, networkActivatedAt: now }
    await updateDevice(tx, device.id, change)
    const config = await loadConfig(tx, { ...device, ...change }, now)
    await appendLiveEvent(tx, { device, type: 'network', body: { tracker_config: config }, at: now })
    return config
  })
}
