import { type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Device } from '#contracts/trackers/devices.ts'
import type { Playback } from '#web/history/track/playback.ts'
import { clampTime, type Track } from '#web/history/track/track.ts'
import { momentWords, timeWords, whereWords } from '#web/history/track/track-words.ts'
import { parseClockText } from '#web/lib/i18n/date-text.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { atClock, type Bounds } from '#web/lib/period.ts'
import { usePlaces } from '#web/places/places.queries.ts'
import classes from './moment.module.css'
import { useAtTime } from './use-playback.ts'

type Props = { device: Device; track: Track; playback: Playback; bounds: Bounds }

/** The replay's time, which can be typed, and in words where the tracker was and what it did. */
export function Moment({ device: { type, kind }, track, playback, bounds }: Props) {
  const { t } = useTranslation()
  const formats = useFormats()
  const places = usePlaces()
  const where = useAtTime(playback, (time) => whereWords(t, formats, time, { track, kind, places }))
  const measured = useAtTime(playback, (time) => momentWords(t, formats, { type, track, time }))
  return (
    <div className={classes.moment}>
      <p className={classes.first}>
        <Clock track={track} playback={playback} bounds={bounds} />
        <small>{measured}</small>
      </p>
      <p className={classes.where} title={where}>
        {where}
      </p>
    </div>
  )
}

/** A button with the time; a click turns it into a field, and Enter shows the typed time of the same day. */
function Clock({ track, playback, bounds }: Omit<Props, 'device'>) {
  const { t } = useTranslation()
  const formats = useFormats()
  const [isTyping, setTyping] = useState(false)
  const [isRefused, setRefused] = useState(false)
  const words = useAtTime(playback, (time) => timeWords(formats, time, bounds))
  const show = (text: string) => {
    const minutes = parseClockText(text)
    setRefused(minutes === null)
    if (minutes === null) return
    playback.seek(clampTime(track, atClock(new Date(playback.state().time), minutes)))
    setTyping(false)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter') show(event.currentTarget.value)
    if (event.key !== 'Escape') return
    event.stopPropagation()
    setTyping(false)
  }
  if (!isTyping)
    return (
      <button
        type="button"
        className={classes.clock}
        title={t('history.typeTime')}
        onClick={() => {
          playback.stop()
          setRefused(false)
          setTyping(true)
        }}
      >
        {words}
      </button>
    )
  return (
    <>
      <input
        className={classes.clock}
        // biome-ignore lint/a11y/noAutofocus: the field replaces the button that was pressed
        autoFocus
        aria-label={t('history.typeTime')}
        aria-invalid={isRefused}
        aria-describedby={isRefused ? 'typed-time-refused' : undefined}
        autoComplete="off"
        enterKeyHint="go"
        defaultValue={formats.time(new Date(playback.state().time))}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onKeyDown={onKeyDown}
        onBlur={() => setTyping(false)}
      />
      {isRefused && (
        <span id="typed-time-refused" role="alert" className={classes.refused}>
          {t('history.typeTimeHint')}
        </span>
      )}
    </>
  )
}
