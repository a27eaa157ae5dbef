import { wire } from '#contracts/rules/time.ts'
import { ownerOf } from '#db/people.ts'
import { presentStatus } from '#server/devices/devices.present.ts'
import { keepEvent } from '#server/live/live-log.store.ts'
import { queueMail, wordedFor } from '#server/mail/mail.ts'
import { deviceJob } from './device-job.ts'
import { changeDevice, SUBSCRIPTION_END } from './jobs.store.ts'

/** Stores an ended subscription as ended and mails the owner once. */
export const subscriptionEnd = deviceJob({
  name: 'subscription_end',
  turn: SUBSCRIPTION_END,
  async take(tx, device, now) {
    await changeDevice(tx, device.id, { subState: 'ended' })
    const owner = await ownerOf(tx, device.accountId)
    const data = { tracker: device.name, datetime: wire(device.subEndDate ?? now) }
    if (owner) await queueMail(tx, { to: owner.email, template: 'subscription_ended', ...wordedFor(owner), data, now })
    return keepEvent(tx, {
      device,
      type: 'status',
      body: { tracker_status: presentStatus({ ...device, subState: 'ended' }, now) },
      at: now,
    })
  },
})
