import { type CSSProperties, type ReactNode, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { NO_PADDING, type Padding } from '#web/map/camera.ts'
import { useMapLayout } from '#web/map/use-map-layout.ts'
import { Sheet } from '#web/ui/overlay/sheet.tsx'
import classes from './stage.module.css'

type Props = {
  map: (padding: Padding) => ReactNode
  /** `raise` opens the sheet that contains the panel, on a phone. */
  panel: (isSheet: boolean, raise?: () => void) => ReactNode
  /** `onResize` receives the height of the charts in pixels, 0 without any. */
  player: (onResize: (charts: number) => void) => ReactNode
  /** Without anything to play, the map is larger and the player is hidden. */
  isEmpty: boolean
}

/** Height in pixels of the player over the map without charts. */
const PLAYER = 90
const LEGEND = 48
const LOW_PADDING = { ...NO_PADDING, top: LEGEND }
/** Detents of the sheet as shares of the map's height: day, totals and the first entry, half of the timeline, all of it. */
const STOPS = [0.38, 0.62, 0.94] as const
const EMPTY_STOPS = [0.52, 0.62, 0.94] as const
/** The map's share of a phone's window, with and without the player. */
const MAP = { playing: 0.8, empty: 0.92 }

/** Lays out panel, map and player: side by side on a wide screen; on a phone a sheet over the map, with the player below. */
export function Stage(props: Props) {
  const Layout = STAGES[useMapLayout()]
  return <Layout {...props} />
}

function DeskStage({ map, panel, player }: Props) {
  const [charts, setCharts] = useState(0)
  const covered = PLAYER + charts
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

/** Panel next to the map, and the player below both. */
function LowStage({ map, panel, player }: Props) {
  const { t } = useTranslation()
  const [charts, setCharts] = useState(0)
  return (
    <div className={classes.low} data-tall={charts > 0 || undefined}>
      <section className={classes.column} aria-label={t('title.trackerHistory')}>
        {panel(true)}
      </section>
      <div className={classes.stage}>{map(LOW_PADDING)}</div>
      {player(setCharts)}
    </div>
  )
}

function PhoneStage({ map, panel, player, isEmpty }: Props) {
  const { t } = useTranslation()
  const [stop, setStop] = useState(0)
  const stops = isEmpty ? EMPTY_STOPS : STOPS
  const share = stops[Math.min(stop, 1)] ?? 0
  const covered = Math.round(window.innerHeight * (isEmpty ? MAP.empty : MAP.playing) * share)
  const padding = useMemo(() => ({ ...NO_PADDING, top: LEGEND, bottom: covered }), [covered])
  return (
    <div className={classes.phone}>
      <div className={classes.stage} style={{ '--map-bottom': `${share * 100}%` } as CSSProperties}>
        {map(padding)}
        <Sheet label={t('title.trackerHistory')} stops={stops} stop={stop} onStop={setStop}>
          {panel(true, () => setStop(stops.length - 1))}
        </Sheet>
      </div>
      {player(NOT_MEASURED)}
    </div>
  )
}

const NOT_MEASURED = () => undefined

const STAGES = { wide: DeskStage, low: LowStage, narrow: PhoneStage }
