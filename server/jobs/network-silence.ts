import { formatInstant } from '#contracts/rules/time.ts'
import { ownerOf } from '#db/people.ts'
import { configOf } from '#server/devices/config.ts'
import { appendLiveEvent } from '#server/live/live-log.store.ts'
import { queueMail, recipientColumns } from '#server/mail/mail.ts'
import { deviceJob } from './device-job.ts'
import { changeDevice, SILENCE } from './jobs.store.ts'

/** Deactivates the network of a tracker that was silent for too long, until the user reactivates it, and mails the owner once. */
export const networkSilence = deviceJob({
  name: 'network_silence',
  rule: SILENCE,
  async apply(tx, device, now) {
    await changeDevice(tx, device.id, { networkState: 'deactivated' })
    const owner = await ownerOf(tx, device.accountId)
    const data = { tracker: device.name, device: String(device.id), datetime: formatInstant(now) }
    if (owner) await queueMail(tx, { to: owner.email, template: 'network_lost', ...recipientColumns(owner), data, now })
    const config = await configOf(tx, { ...device, networkState: 'deactivated' }, now)
    return appendLiveEvent(tx, { device, type: 'network', body: { tracker_config: config }, at: now })
  },
})
