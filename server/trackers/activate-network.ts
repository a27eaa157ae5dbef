import { networkStateAt, silentSince } from '#contracts/rules/tracking/reporting.ts'
import { writeDevices } from '#db/device-changes.ts'
import { configOf } from '#server/devices/config.ts'
import { updateDevice } from '#server/devices/devices.store.ts'
import { ownedWithin } from '#server/devices/find.ts'
import { keepEvent } from '#server/live/live-log.store.ts'
import type { ViewerContext } from '#server/ports/world.ts'

/** Activates the network of a silent tracker and restarts its count of silent days. Does nothing when it is active. */
export async function activateNetwork({ db, clock, live, viewer }: ViewerContext, id: number) {
  const now = clock.now()
  const { config, event } = await writeDevices(db, async (tx, touch) => {
    const device = await ownedWithin(tx, viewer, id)
    const isActive = networkStateAt(silentSince(device), device.networkState, now) === 'active'
    if (isActive) return { config: await configOf(tx, device, now), event: null }
    const change = { networkState: 'active' as const, networkActivatedAt: now }
    touch(device)
    await updateDevice(tx, device.id, change)
    const config = await configOf(tx, { ...device, ...change }, now)
    return { config, event: await keepEvent(tx, { device, type: 'network', body: { tracker_config: config }, at: now }) }
  })
  if (event) live.publish(event)
  return config
}
