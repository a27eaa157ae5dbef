import { useTranslation } from 'react-i18next'
import type { DeviceType } from '#contracts/lib/constants.ts'
import { momentWords, timeWords } from '#web/history/track/moment-words.ts'
import type { Bounds } from '#web/history/track/period.ts'
import type { Playback } from '#web/history/track/playback.ts'
import type { Track } from '#web/history/track/track.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import classes from './player.module.css'
import { useAtTime } from './use-playback.ts'

/** Time, speed and battery at the replay's current time. */
export function MomentText({ type, track, playback, bounds }: { type: DeviceType; track: Track; playback: Playback; bounds: Bounds }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const time = useAtTime(playback, (at) => timeWords(formats, at, bounds))
  const moment = useAtTime(playback, (at) => momentWords(t, formats, { type, track, time: at }))
  return (
    <p className={classes.moment}>
      <strong>{time}</strong>
      <small>{moment}</small>
    </p>
  )
}
