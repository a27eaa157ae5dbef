import { currentSubState } from '#contracts/rules/subscription.ts'
import type { trackers as contract } from '#contracts/trackers.ts'
import type { Tx } from '#db/db.ts'
import { writeDevices } from '#db/device-changes.ts'
import type { DeviceRow } from '#db/scope.ts'
import { findSubscription } from '#server/billing/records/subscriptions.store.ts'
import { getOwnedDeviceInTx, readDevice } from '#server/devices/get-device.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import { addTracker } from './add-tracker.ts'
import { activateNetwork, changeTracker } from './change-tracker.ts'
import { freeTrackers } from './free-trackers.ts'

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
      const before = await getOwnedDeviceInTx(tx, viewer, params.id)
      touch(before)
      const events = await changeTracker(tx, viewer, before, body, now)
      return { device: await readDevice(tx, viewer, before.id, now), events }
    })
    for (const event of events) live.publish(event)
    return device
  },
  async remove({ params }, { db, clock, positions, viewer }) {
    await writeDevices(db, async (tx, touch) => {
      const device = await getOwnedDeviceInTx(tx, viewer, params.id)
      await requireNoRenewal(tx, device, clock.now())
      touch(device)
      await freeTrackers(tx, [device], { positions, clock })
    })
    return { id: params.id }
  },
  activateNetwork: ({ params }, context) => activateNetwork(context, params.id),
}

/** Throws `recurring_active`, because the card would be charged for a removed tracker. */
export async function requireNoRenewal(tx: Tx, device: DeviceRow, now: Date) {
  const isActive = currentSubState(device.subState, device.subEndDate, now) === 'active'
  if (isActive && (await findSubscription(tx, device.id))?.isRecurring) throw new Failure('recurring_active')
}
