import { useMediaQuery } from '@mantine/hooks'
import { type CSSProperties, type ReactNode, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { NO_PADDING, type Padding } from '#web/map/camera.ts'
import { Sheet } from '#web/ui/overlay/sheet.tsx'
import classes from './stage.module.css'

type Props = {
  map: (padding: Padding) => ReactNode
  /** `raise` opens the sheet that holds the panel, on a phone. */
  panel: (isSheet: boolean, raise?: () => void) => ReactNode
  /** `onResize` takes the height of the charts in pixels, 0 without any. */
  player: (onResize: (charts: number) => void) => ReactNode
  /** Without anything to play, the map is larger and the player is hidden. */
  isEmpty: boolean
}

/** Height in pixels of the player over the map without charts, and of the charts in a low window. */
const PLAYER = 90
const LOW_CHARTS = 108
const LEGEND = 48
/** Stops of the sheet as shares of the map's height: day and totals, half of the timeline, all of it. */
const STOPS = [0.28, 0.6, 0.94] as const
const LOW_STOPS = [0.46, 0.6, 0.94] as const
const EMPTY_STOPS = [0.52, 0.6, 0.94] as const
/** The map's share of a phone's window, with and without the player. */
const MAP = { playing: 0.8, empty: 0.92 }
const PHONE = '(max-width: 768px)'
const LOW = '(max-height: 480px)'

const useMatches = (media: string) => useMediaQuery(media, false, { getInitialValueInEffect: false })

/** Lays out panel, map and player: side by side on a wide screen; on a phone a sheet over the map, with the player above the tabs. */
export function Stage(props: Props) {
  return useMatches(PHONE) ? <PhoneStage {...props} /> : <DeskStage {...props} />
}

function DeskStage({ map, panel, player }: Props) {
  const [charts, setCharts] = useState(0)
  const isLow = useMatches(LOW)
  const covered = PLAYER + (isLow ? Math.min(charts, LOW_CHARTS) : charts)
  const padding = useMemo(() => ({ ...NO_PADDING, top: LEGEND, bottom: covered }), [covered])
  return (
    <div className={classes.desk}>
      {panel(false)}
      <div className={classes.stage} style={{ '--map-bottom': `${covered}px` } as CSSProperties}>
        {map(padding)}
        {player(setCharts)}
      </div>
    </div>
  )
}

function PhoneStage({ map, panel, player, isEmpty }: Props) {
  const { t } = useTranslation()
  const [stop, setStop] = useState(0)
  const [charts, setCharts] = useState(0)
  const isLow = useMatches(LOW)
  const stops = isEmpty ? EMPTY_STOPS : isLow ? LOW_STOPS : STOPS
  const share = stops[Math.min(stop, 1)] ?? 0
  const covered = Math.round(window.innerHeight * (isEmpty ? MAP.empty : MAP.playing) * share)
  const padding = useMemo(() => ({ ...NO_PADDING, top: LEGEND, bottom: covered }), [covered])
  return (
    <div className={classes.phone} data-tall={charts > 0 || undefined}>
      <div className={classes.stage} style={{ '--map-bottom': `${share * 100}%` } as CSSProperties}>
        {map(padding)}
        <Sheet label={t('title.trackerHistory')} stops={stops} stop={stop} onStop={setStop}>
          {panel(true, () => setStop(stops.length - 1))}
        </Sheet>
      </div>
      {player(setCharts)}
    </div>
  )
}
