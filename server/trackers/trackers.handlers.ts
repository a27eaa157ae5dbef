import type { phoneTrackers as phonesContract } from '#contracts/trackers/phones.ts'
import type { trackers as contract } from '#contracts/trackers/trackers.ts'
import { touch, writeDevices } from '#db/device-changes.ts'
import { countAttempt } from '#server/http/access/limits.ts'
import { getOwnedDeviceInTx } from '#server/http/access/owned-device.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { ViewerContext } from '#server/ports/world.ts'
import { addPhone } from '#server/trackers/ownership/add-phone.ts'
import { addTracker, numberLock } from '#server/trackers/ownership/add-tracker.ts'
import { removeTrackers, requireNoRenewal } from '#server/trackers/ownership/remove-trackers.ts'
import { readDevice } from '#server/trackers/records/device.ts'
import { changeTracker } from '#server/trackers/settings/change-tracker.ts'
import { activateNetwork } from '#server/trackers/settings/network.ts'

/** Also failed ones: free numbers can be claimed without a proof, and a rejection reveals that a number is taken. */
const ADD_ATTEMPTS = { max: 200, windowMinutes: 24 * 60 }

async function countAdding({ db, clock, viewer, limits }: ViewerContext) {
  const tries = `add:${viewer.accountId}`
  if (limits.credentials) await writeDevices(db, [`throttle:${tries}`], (tx) => countAttempt(tx, tries, ADD_ATTEMPTS, clock.now()))
}

export const phoneTrackers: Handlers<typeof phonesContract> = {
  async add({ body }, context) {
    const { db, clock, viewer } = context
    await countAdding(context)
    return writeDevices(db, [`account:${viewer.accountId}`], async (tx) => {
      const added = await addPhone(tx, viewer.accountId, body, context)
      touch(tx, added)
      return readDevice(tx, viewer, added.id, clock.now())
    })
  },
}

export const trackers: Handlers<typeof contract> = {
  async add({ body }, context) {
    const { db, clock, viewer } = context
    await countAdding(context)
    return writeDevices(db, numberLock(viewer.accountId, body), async (tx) => {
      const added = await addTracker(tx, viewer.accountId, body, context)
      touch(tx, added)
      return readDevice(tx, viewer, added.id, clock.now())
    })
  },
  change({ params, body }, { db, clock, viewer }) {
    const now = clock.now()
    return writeDevices(db, [`account:${viewer.accountId}`], async (tx) => {
      const before = await getOwnedDeviceInTx(tx, viewer, params.id)
      touch(tx, before)
      await changeTracker(tx, viewer, before, body, now)
      return readDevice(tx, viewer, before.id, now)
    })
  },
  async remove({ params }, { db, clock, positions, viewer }) {
    await writeDevices(db, [`account:${viewer.accountId}`], async (tx) => {
      const device = await getOwnedDeviceInTx(tx, viewer, params.id)
      await requireNoRenewal(tx, device, clock.now())
      touch(tx, device)
      await removeTrackers(tx, [device], { positions, clock })
    })
    return { id: params.id }
  },
  activateNetwork: ({ params }, context) => activateNetwork(context, params.id),
}
