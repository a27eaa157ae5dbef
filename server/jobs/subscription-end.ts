import { formatInstant } from '#contracts/rules/time.ts'
import { ownerOf } from '#db/people.ts'
import { presentStatus } from '#server/devices/devices.present.ts'
import { appendLiveEvent } from '#server/live/live-log.store.ts'
import { queueMail, recipientColumns } from '#server/mail/mail.ts'
import { deviceJob } from './device-job.ts'
import { changeDevice, SUBSCRIPTION_END } from './jobs.store.ts'

/** Stores an ended subscription as ended and mails the owner once. */
export const subscriptionEnd = deviceJob({
  name: 'subscription_end',
  rule: SUBSCRIPTION_END,
  async apply(tx, device, now) {
    await changeDevice(tx, device.id, { subState: 'ended' })
    const owner = await ownerOf(tx, device.accountId)
    const data = { tracker: device.name, datetime: formatInstant(device.subEndDate ?? now) }
    if (owner) await queueMail(tx, { to: owner.email, template: 'subscription_ended', ...recipientColumns(owner), data, now })
    return appendLiveEvent(tx, {
      device,
      type: 'status',
      body: { tracker_status: presentStatus({ ...device, subState: 'ended' }, now) },
      at: now,
    })
  },
})
