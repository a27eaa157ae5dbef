import { BOOST_INTERVAL_SECONDS } from '#contracts/rules/navigation.ts'
import { computeEndDate, currentSubState } from '#contracts/rules/subscription.ts'
import { formatInstant, MINUTE_MS } from '#contracts/rules/time.ts'
import { personName } from '#contracts/rules/user.ts'
import type { devices as contract } from '#contracts/trackers/devices.ts'
import type { owners as ownersContract, TrackerOwner } from '#contracts/trackers/owners.ts'
import { touch, writeDevices } from '#db/device-changes.ts'
import { getOwnedDevice, getOwnedDeviceInTx } from '#server/http/access/owned-device.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import { findIncludedMonths, takeIncludedMonths } from '#server/stock/included-months.ts'
import { loadConfig, readDevice } from '#server/trackers/records/device.ts'
import { deviceList } from '#server/trackers/records/device-list.ts'
import { presentStatus } from '#server/trackers/records/devices.present.ts'
import { listDeviceOwners, startSubscription, updateDevice } from '#server/trackers/records/devices.store.ts'
import { requestMode, requireMode, requireSubscription, saveBoost } from '#server/trackers/settings/mode.ts'

export const devices: Handlers<typeof contract> = {
  list: ({ query }, context) => (query.type === 'tracker' || query.type === undefined ? deviceList(context) : []),
  async get({ params }, context) {
    const { id } = await getOwnedDevice(context, params.id)
    return readDevice(context.db.read, context.viewer, id, context.clock.now())
  },
  config: async ({ params }, context) => loadConfig(context.db.read, await getOwnedDevice(context, params.id), context.clock.now()),
  setMode({ params, body: { mode } }, { db, clock, viewer }) {
    const now = clock.now()
    return writeDevices(db, [`account:${viewer.accountId}`], async (tx) => {
      const device = await getOwnedDeviceInTx(tx, viewer, params.id)
      requireMode(device, mode)
      requireSubscription(device, now)
      return requestMode(tx, device, mode === device.mode ? null : mode, now)
    })
  },
  status: async ({ params }, context) => presentStatus(await getOwnedDevice(context, params.id), context.clock.now()),
  /** A tracker whose included months were used gets the state that asks for a plan, which has to be committed. */
  async activate({ params }, { db, clock, claims, viewer }) {
    const now = clock.now()
    const isActivated = await writeDevices(db, [`account:${viewer.accountId}`], async (tx) => {
      const device = await getOwnedDeviceInTx(tx, viewer, params.id)
      if (device.isLinkedToPro) throw new Failure('device_linked_to_pro')
      if (currentSubState(device.subState, device.subEndDate, now) !== 'not_activated') throw new Failure('not_activatable')
      touch(tx, device)
      const key = device.identifier ?? `device:${device.id}`
      const months = await takeIncludedMonths(tx, { key, months: await findIncludedMonths(tx, key, claims), now })
      const endOf = (whole: number, extra: number) => computeEndDate(now, null, whole, extra)
      const subEndDate = await startSubscription(tx, { deviceId: device.id, months, startedAt: now, endOf })
      if (!subEndDate) {
        await updateDevice(tx, device.id, { subState: 'none' })
        return false
      }
      const activeCollarSince = device.type === 'tracker_06' ? (device.activeCollarSince ?? now) : null
      await updateDevice(tx, device.id, { subState: 'active', subEndDate, activeCollarSince })
      return true
    })
    if (!isActivated) throw new Failure('subscription_required')
  },
  async boost({ params, body }, { db, clock, viewer }) {
    const now = clock.now()
    const until = new Date(now.getTime() + body.duration_minutes * MINUTE_MS)
    await writeDevices(db, [`account:${viewer.accountId}`], async (tx) => {
      const device = await getOwnedDeviceInTx(tx, viewer, params.id)
      requireSubscription(device, now)
      await saveBoost(tx, device, until, now)
    })
    return { active: true, until: formatInstant(until), interval_seconds: BOOST_INTERVAL_SECONDS }
  },
  async endBoost({ params }, { db, clock, viewer }) {
    await writeDevices(db, [`account:${viewer.accountId}`], async (tx) => {
      const device = await getOwnedDeviceInTx(tx, viewer, params.id)
      if (!device.boostUntil) return
      await saveBoost(tx, device, null, clock.now())
    })
    return { active: false }
  },
}

export const owners: Handlers<typeof ownersContract> = {
  async list(_, { db }) {
    const owners = new Map<number, TrackerOwner>()
    for (const { id, user } of await listDeviceOwners(db.read)) {
      const { email, firstName, lastName, language } = user
      const owner = owners.get(user.id) ?? { id: user.id, email, name: personName(firstName, lastName, language), trackers: [] }
      owner.trackers.push(id)
      owners.set(user.id, owner)
    }
    return [...owners.values()]
  },
}
