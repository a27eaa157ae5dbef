import type { TFunction } from 'i18next'
import type { DeviceType } from '#contracts/lib/constants.ts'
import { DAY_MS, HOUR_MS } from '#contracts/rules/time.ts'
import { batteryDisplay } from '#contracts/rules/tracking/tracker.ts'
import type { Formats } from '#web/lib/i18n/format.ts'
import { batteryWords } from '#web/lib/i18n/words.ts'
import type { Bounds } from './period.ts'
import { interpolateMoment, type Track } from './track.ts'

/** Allows 25 hours, because the day on which the clocks go back is an hour longer. */
export const isOneDay = ({ start, end }: Bounds) => end - start <= DAY_MS + HOUR_MS

/** "12:31", with the day when the period spans several. */
export const timeWords = (formats: Formats, time: number, bounds: Bounds) => {
  const at = new Date(time)
  return isOneDay(bounds) ? formats.time(at) : `${formats.shortDay(at)} ${formats.time(at)}`
}

/** "7.8 km/h · 82%" */
export const momentWords = (t: TFunction, formats: Formats, { type, track, time }: { type: DeviceType; track: Track; time: number }) => {
  const moment = interpolateMoment(track, time)
  return moment ? `${formats.speed(moment.kmh)} · ${batteryWords(t, batteryDisplay(type, moment.battery))}` : ''
}
