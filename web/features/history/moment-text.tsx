import { useTranslation } from 'react-i18next'
import type { DeviceType } from '#contracts/constants.ts'
import { useFormats } from '#web/lib/use-formats.ts'
import { momentWords, timeWords } from './moment-words.ts'
import type { Bounds } from './period.ts'
import type { Playback } from './playback.ts'
import classes from './player.module.css'
import type { Track } from './track.ts'
import { useAtTime } from './use-playback.ts'

/** The time shown, speed and battery then. */
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
