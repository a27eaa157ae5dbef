import { useEffect } from 'react'
import { DemoPin } from '#web/first-minute/demo/demo-pin.tsx'
import { useDemo } from '#web/first-minute/demo/demo-tracker.ts'
import { useMapStage } from '#web/map/map-context.ts'
import { COUNTRY_ZOOM, zonePlace } from './zone-place.ts'

/** The map of an account without trackers: the region of the user's time zone, or the demo dog. `moves` unless the user has moved the map. */
export default function EmptyMap({ moves }: { moves: boolean }) {
  const { map } = useMapStage()
  const shown = useDemo()
  const hasDemo = shown !== null
  useEffect(() => {
    const home = zonePlace()
    if (moves && !hasDemo && home) map.setView([home.lat, home.lng], COUNTRY_ZOOM, { animate: false })
  }, [map, moves, hasDemo])
  return shown && <DemoPin {...shown} moves={moves} />
}
