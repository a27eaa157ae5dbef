import { networkStateAt, silentSince } from '#contracts/rules/network.ts'
import { subStateAt } from '#contracts/rules/sub-state.ts'
import type { trackers as contract } from '#contracts/trackers.ts'
import type { Tx } from '#db/open.ts'
import type { DeviceRow } from '#db/scope.ts'
import { configOf } from '#server/devices/config.ts'
import { ownedWithin } from '#server/devices/find.ts'
import { readDevice } from '#server/devices/read-device.ts'
import { updateDevice } from '#server/devices/store.ts'
import { writeDevices } from '#server/lib/device-changes.ts'
import { Failure } from '#server/lib/errors.ts'
import { keepEvent } from '#server/lib/live-log/store.ts'
import type { Handlers } from '#server/lib/serve.ts'
import { subscriptionOf } from '#server/subscriptions/store.ts'
import { addTracker } from './add-tracker.ts'
import { changeTracker } from './change-tracker.ts'
import { freeTrackers } from './freeing/free-trackers.ts'

export const trackers: Handlers<typeof contract> = {
  async add({ body }, { db, clock, viewer }) {
    const now = clock.now()
    return writeDevices(db, async (tx, touch) => {
      const added = await addTracker(tx, viewer.accountId, body, now)
      touch(added)
      return readDevice(tx, viewer, added.id, now)
    })
  },
  async change({ params, body }, { db, clock, live, viewer }) {
    const now = clock.now()
    const { device, events } = await writeDevices(db, async (tx, touch) => {
      const before = await ownedWithin(tx, viewer, params.id)
      touch(before)
      const events = await changeTracker(tx, viewer, before, body, now)
      return { device: await readDevice(tx, viewer, before.id, now), events }
    })
    for (const event of events) live.publish(event)
    return device
  },
  async remove({ params }, { db, clock, positions, viewer }) {
    await writeDevices(db, async (tx, touch) => {
      const device = await ownedWithin(tx, viewer, params.id)
      await requireNoRenewal(tx, device, clock.now())
      touch(device)
      await freeTrackers(tx, [device], { positions, clock })
    })
    return { id: params.id }
  },
  async activateNetwork({ params }, { db, clock, live, viewer }) {
    const now = clock.now()
    const { config, event } = await writeDevices(db, async (tx, touch) => {
      const device = await ownedWithin(tx, viewer, params.id)
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
  },
}

/** Throws `recurring_active`: the card would be charged on for a tracker that is gone (D-39). */
async function requireNoRenewal(tx: Tx, device: DeviceRow, now: Date) {
  const isActive = subStateAt(device.subState, device.subEndDate, now) === 'active'
  if (isActive && (await subscriptionOf(tx, device.id))?.isRecurring) throw new Failure('recurring_active')
}
