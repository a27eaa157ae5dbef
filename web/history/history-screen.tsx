import { IconChevronLeft } from '@tabler/icons-react'
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams, useSearchParams } from 'react-router-dom'
import { parseId } from '#contracts/lib/common.ts'
import type { PositionColumns } from '#contracts/track/columns.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { PlaceBars, Totals, WeekBars } from '#web/history/charts/period-summary.tsx'
import { Points } from '#web/history/charts/points.tsx'
import type { ShowPeriod } from '#web/history/days/day-nav.tsx'
import { Player } from '#web/history/playback/player.tsx'
import { Stage } from '#web/history/playback/stage.tsx'
import { usePlayback } from '#web/history/playback/use-playback.ts'
import { historyProgressQuery, historyQuery } from '#web/history/track/history.queries.ts'
import { type Track, trackOf } from '#web/history/track/track.ts'
import { listDoubts } from '#web/history/wrong/doubts.ts'
import { WrongPositions } from '#web/history/wrong/wrong-positions.tsx'
import { useNow } from '#web/lib/clock.ts'
import { parseClockText } from '#web/lib/i18n/date-text.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { type Day, formatPeriod, type Period, parsePeriod, periodBounds, toDay } from '#web/lib/period.ts'
import { useTimeSliced } from '#web/lib/time-slices.ts'
import { MapView } from '#web/map/map-view.tsx'
import { MapTools } from '#web/map/tools/map-tools.tsx'
import { usePlaces } from '#web/places/places.queries.ts'
import { useLive } from '#web/trackers/live/use-live.ts'
import { UnknownTracker } from '#web/trackers/parts/unknown-tracker.tsx'
import type { Progress } from '#web/trackers/trace/read-pages.ts'
import { separatedOf } from '#web/trackers/trace/wrong-positions.ts'
import { WithDevices } from '#web/trackers/trackers.queries.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { HistoryMap } from './history-map.tsx'
import classes from './panel.module.css'
import { NoData, Panel } from './panel.tsx'
import { Timeline } from './timeline.tsx'

function LiveUpdates() {
  useLive()
  return null
}

const NOWHERE: [] = []
const NO_DOUBTS: [] = []

/** A history that failed to load: the map stays, and the panel shows the reason. */
function HistoryFailure({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <Stage
      isEmpty
      player={() => null}
      map={(padding) => (
        <MapView points={NOWHERE} padding={padding}>
          <MapTools points={NOWHERE} />
        </MapView>
      )}
      panel={(isSheet) => (
        <div className={classes.panel} data-sheet={isSheet || undefined}>
          <div className={classes.body}>
            <header className={classes.head}>
              <Link to="/" className={classes.back}>
                <IconChevronLeft size={16} aria-hidden="true" />
                <span>{t('trackers.heading')}</span>
              </Link>
              <h1>{t('title.trackerHistory')}</h1>
            </header>
            {children}
          </div>
        </div>
      )}
    />
  )
}

/** Requests the positions in parallel to the list of trackers, which only provides the tracker's name. */
function useEarlyHistory(id: number, period: Period | null, today: Day) {
  const queries = useQueryClient()
  const hasHistory = useFeature('history')
  useState(() => {
    if (period && hasHistory) void queries.prefetchQuery(historyQuery(id, period, today))
  })
}

export default function HistoryScreen() {
  const id = parseId(useParams().id)
  const today = toDay(useNow())
  const [search, setSearch] = useSearchParams()
  const period = parsePeriod(search, today)
  const trip = Number(search.get('trip'))
  useEarlyHistory(id, period, today)
  return (
    <WithDevices>
      {(devices, instead) => {
        if (instead) return <HistoryFailure>{instead}</HistoryFailure>
        const device = devices.find((one) => one.id === id)
        if (!device) return <UnknownTracker />
        return (
          <History
            device={device}
            period={period}
            today={today}
            opened={trip}
            clock={parseClockText(search.get('at') ?? '')}
            show={(next, at) => setSearch({ ...formatPeriod(next), ...(at && { at }) })}
          />
        )
      }}
    </WithDevices>
  )
}

type Props = {
  device: Device
  period: Period | null
  today: Day
  /** The start of the initially chosen trip, in ms, or 0. */
  opened: number
  /** Minutes after midnight at which the replay starts; null for its usual start. */
  clock: number | null
  show: ShowPeriod
}

function History({ device, period, today, opened, clock, show }: Props) {
  const { id, type, kind } = device
  const shown = period ?? { from: today, to: today }
  const { from, to } = shown
  const query = historyQuery(id, shown, today)
  // The panel loads the positions; map and player follow.
  const positions = useQuery({ ...query, enabled: false }).data
  const progress = useQuery(historyProgressQuery(id, shown, today)).data
  const view = `${id} ${from} ${to}`
  const track = useTimeSliced(trackOf, positions?.length ? positions : undefined, view) ?? null
  // Until the track is ready, the map draws the positions that have arrived.
  const read = useRead(positions, progress?.positions, view)
  const drawn = useTimeSliced(separatedOf, track ? undefined : read, view)?.good
  const bounds = useMemo(() => periodBounds({ from, to }), [from, to])
  const isToday = to >= today
  const playback = usePlayback(track, shown, { isToday, clock })
  const [chosen, setChosen] = useState<{ of: object; leg: number | null } | null>(null)
  const focus = chosen !== null && chosen.of === playback ? chosen.leg : findTrip(track, opened)
  const doubts = useMemo(() => (track ? listDoubts(track.all) : NO_DOUBTS), [track])
  const [shownDoubts, setShownDoubts] = useState<{ of: string; chosen: number | null } | null>(null)
  const showsDoubts = shownDoubts?.of === view
  const chosenDoubt = (showsDoubts && doubts.find(({ ids }) => ids[0] === shownDoubts.chosen)) || null
  const leg = focus === null ? undefined : track?.legs[focus]
  const trip = leg?.kind === 'trip' ? { start: leg.start, end: leg.end } : null
  const places = usePlaces()
  const hasHistory = useFeature('history')
  const isReady = track !== null && playback !== null
  const hasNothing = positions?.length === 0 || track?.positions.length === 0
  const none = <NoData device={device} period={shown} show={show} />
  const wrong = (
    <WrongPositions
      device={id}
      doubts={doubts}
      bounds={bounds}
      isShown={showsDoubts}
      chosen={chosenDoubt}
      onShow={(isShown) => setShownDoubts(isShown ? { of: view, chosen: null } : null)}
      onChoose={(doubt) => setShownDoubts({ of: view, chosen: doubt?.ids[0] ?? null })}
    />
  )
  return (
    <Stage
      map={(padding) => (
        <HistoryMap
          device={device}
          positions={drawn}
          isComplete={positions !== undefined}
          track={track}
          isEmpty={hasNothing}
          playback={playback}
          focus={focus}
          doubts={{ shown: showsDoubts ? doubts : NO_DOUBTS, chosen: chosenDoubt }}
          padding={padding}
        />
      )}
      player={(onResize) =>
        isReady && !hasNothing && <Player device={device} track={track} playback={playback} bounds={bounds} onResize={onResize} />
      }
      isEmpty={hasNothing}
      panel={(isSheet, raise) => (
        <Panel device={device} period={period} trip={trip} today={today} show={show} isSheet={isSheet} raise={raise}>
          {isToday && <LiveUpdates />}
          <Part key={`${from} ${to}`} skeleton={<Waiting progress={progress} />}>
            <Positions query={query} none={none}>
              {isReady && track.positions.length === 0 && (
                <>
                  {none}
                  {wrong}
                </>
              )}
              {isReady && track.positions.length > 0 && (
                <>
                  <Totals track={track} />
                  {wrong}
                  <Timeline
                    kind={kind}
                    track={track}
                    playback={playback}
                    bounds={bounds}
                    places={places}
                    focus={focus}
                    onFocus={(leg) => setChosen({ of: playback, leg })}
                  />
                  <PlaceBars track={track} places={places} />
                </>
              )}
            </Positions>
          </Part>
          {hasHistory && <WeekBars device={device} period={shown} today={today} show={show} />}
          {isReady && !hasNothing && <Points type={type} track={track} bounds={bounds} />}
        </Panel>
      )}
    />
  )
}

/** Below this number of positions the track is ready so soon that drawing points first would only delay it. */
const FEW = 20_000

/** The positions to draw before their track is ready: of a history that arrives page by page, or of a long one. */
function useRead(positions: PositionColumns | undefined, partial: PositionColumns | undefined, view: string) {
  const [last, setLast] = useState({ partial, view })
  if (partial && (last.partial !== partial || last.view !== view)) setLast({ partial, view })
  if (positions && positions.length > FEW) return positions
  return partial ?? (last.view === view ? last.partial : undefined)
}

/** Starts of trips are saved in whole seconds. */
const SAME_START_MS = 1000

/** The number of the trip that began at an instant; null without one. */
function findTrip(track: Track | null, time: number) {
  const found = track?.legs.findIndex(({ kind, start }) => kind === 'trip' && Math.abs(start - time) <= SAME_START_MS) ?? -1
  return found < 0 ? null : found
}

/** While a long history arrives page by page, shows how much of it has arrived; the map shows that part. */
function Waiting({ progress }: { progress: Progress | undefined }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const [read, total] = [progress?.positions.length ?? 0, progress?.total ?? 0].map((count) => formats.number(count))
  return (
    <>
      {progress && progress.total > progress.positions.length && (
        <p className={classes.progress} role="status">
          {t('history.progress', { read, total })}
        </p>
      )}
      <SkeletonRows count={5} />
    </>
  )
}

type PositionsProps = { query: ReturnType<typeof historyQuery>; none: ReactNode; children: ReactNode }

/** Waits for the positions, for the panel; the map next to it does not need them. */
const Positions = ({ query, none, children }: PositionsProps) => (useSuspenseQuery(query).data.length > 0 ? children : none)
