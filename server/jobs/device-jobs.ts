import { DAY_MS, formatInstant } from '#contracts/rules/time.ts'
import type { Tx } from '#db/db.ts'
import { findAccountOwner } from '#db/people.ts'
import type { DeviceRow } from '#db/scope.ts'
import { appendLiveEvent } from '#server/live/live-log.store.ts'
import { queueMail, recipientColumns } from '#server/outbox/outbox.store.ts'
import { loadConfig } from '#server/trackers/records/device.ts'
import { presentStatus } from '#server/trackers/records/devices.present.ts'
import { findRestStart } from '#server/trackers/records/service.ts'
import type { Job } from './job.ts'
import {
  BOOST_END,
  changeDevice,
  type DueRule,
  deviceDue,
  devicesDue,
  linksDue,
  markLinkEndPublished,
  nextLinkEnd,
  nextTurn,
  SILENCE,
  SUBSCRIPTION_END,
} from './jobs.store.ts'

type DeviceJob = {
  name: string
  rule: DueRule
  apply(tx: Tx, device: DeviceRow, now: Date, graceDays: number | null): Promise<void>
}

/** A job that handles trackers one by one; each is checked again within its transaction. */
const createDeviceJob = ({ name, rule, apply }: DeviceJob): Job => ({
  name,
  next: (db, after) => nextTurn(db, rule, after),
  due: async (db, by) =>
    (await devicesDue(db, rule, by)).map(({ id, accountId }) => ({
      ref: `devices/${id}`,
      lock: [`account:${accountId}`] as const,
      async run(tx, now, _positions, graceDays) {
        const device = await deviceDue(tx, rule, id, now)
        if (!device) return false
        await apply(tx, device, now, graceDays)
        return true
      },
    })),
})

export const boostEnd = createDeviceJob({
  name: 'boost_end',
  rule: BOOST_END,
  async apply(tx, device, now) {
    await changeDevice(tx, device.id, { boostUntil: null })
    const config = await loadConfig(tx, { ...device, boostUntil: null }, now)
    await appendLiveEvent(tx, { device, type: 'mode', body: { tracker_config: config }, at: now })
  },
})

/**
 * Deactivates the network of a tracker after too long a silence, until the user reactivates it, and mails the owner once, unless the
 * tracker rests.
 */
export const networkSilence = createDeviceJob({
  name: 'network_silence',
  rule: SILENCE,
  async apply(tx, device, now, graceDays) {
    await changeDevice(tx, device.id, { networkState: 'deactivated' })
    const owner = await findAccountOwner(tx, device.accountId)
    const data = { tracker: device.name, device: String(device.id), datetime: formatInstant(now) }
    const isResting = findRestStart(device, now, graceDays) !== null
    if (owner && !isResting) await queueMail(tx, { to: owner.email, template: 'network_lost', ...recipientColumns(owner), data, now })
    const config = await loadConfig(tx, { ...device, networkState: 'deactivated' }, now)
    await appendLiveEvent(tx, { device, type: 'network', body: { tracker_config: config }, at: now })
  },
})

/** Stores an ended subscription as ended and mails the owner once, with the end of the days of grace. */
export const subscriptionEnd = createDeviceJob({
  name: 'subscription_end',
  rule: SUBSCRIPTION_END,
  async apply(tx, device, now, graceDays) {
    await changeDevice(tx, device.id, { subState: 'ended' })
    const owner = await findAccountOwner(tx, device.accountId)
    const endsAt = device.subEndDate ?? now
    const data = {
      tracker: device.name,
      device: String(device.id),
      datetime: formatInstant(endsAt),
      ...(graceDays !== null && { rests: formatInstant(new Date(endsAt.getTime() + graceDays * DAY_MS)) }),
    }
    if (owner) await queueMail(tx, { to: owner.email, template: 'subscription_ended', ...recipientColumns(owner), data, now })
    await appendLiveEvent(tx, {
      device,
      type: 'status',
      body: { tracker_status: presentStatus({ ...device, subState: 'ended' }, now) },
      at: now,
    })
  },
})

/** Publishes the end of a public link as a `status` event of each of its trackers, which says whether that is still public. */
export const linkEnd: Job = {
  name: 'link_end',
  next: nextLinkEnd,
  due: async (db, by) =>
    (await linksDue(db, by)).map(({ uuid, accountId }) => ({
      ref: `links/${uuid}`,
      lock: [`account:${accountId}`] as const,
      async run(tx, now) {
        const ended = await markLinkEndPublished(tx, uuid, now)
        if (!ended) return false
        for (const { device, isPublic } of ended) {
          const body = { tracker_status: presentStatus(device, now), is_public: isPublic }
          await appendLiveEvent(tx, { device, type: 'status', body, at: now })
        }
        return true
      },
    })),
}
