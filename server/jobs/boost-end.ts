import { configOf } from '#server/devices/config.ts'
import { appendLiveEvent } from '#server/live/live-log.store.ts'
import { deviceJob } from './device-job.ts'
import { BOOST_END, changeDevice } from './jobs.store.ts'

export const boostEnd = deviceJob({
  name: 'boost_end',
  rule: BOOST_END,
  async apply(tx, device, now) {
    await changeDevice(tx, device.id, { boostUntil: null })
    const config = await configOf(tx, { ...device, boostUntil: null }, now)
    return appendLiveEvent(tx, { device, type: 'mode', body: { tracker_config: config }, at: now })
  },
})
