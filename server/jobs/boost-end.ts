import { configOf } from '#server/devices/config.ts'
import { keepEvent } from '#server/live/live-log.store.ts'
import { deviceJob } from './device-job.ts'
import { BOOST_END, changeDevice } from './jobs.store.ts'

export const boostEnd = deviceJob({
  name: 'boost_end',
  turn: BOOST_END,
  async take(tx, device, now) {
    await changeDevice(tx, device.id, { boostUntil: null })
    const config = await configOf(tx, { ...device, boostUntil: null }, now)
    return keepEvent(tx, { device, type: 'mode', body: { tracker_config: config }, at: now })
  },
})
