import { useEffect } from 'react'
import { MINUTE_MS } from '#contracts/rules/time.ts'
import type { Playback } from '#web/history/track/playback.ts'
import { clampTime, type Track } from '#web/history/track/track.ts'
import { isFreeForShortcuts } from '#web/lib/navigation/shortcuts.ts'
import { playFrom } from './use-playback.ts'

/** Elements that handle the space key themselves. */
const SPACE_CONSUMERS = 'button, a, summary'

/** Space plays and pauses; the arrow keys move a minute, as on the slider. */
export function usePlayerKeys(track: Track, playback: Playback) {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isFreeForShortcuts(event)) return
      const { isPlaying, time } = playback.state()
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
      const isSpace = event.key === ' ' && !(event.target instanceof Element && event.target.closest(SPACE_CONSUMERS))
      if (!step && !isSpace) return
      event.preventDefault()
      if (step) playback.seek(clampTime(track, time + step * MINUTE_MS))
      else if (isPlaying) playback.stop()
      else playFrom(track, playback)
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [track, playback])
}
