import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useParams, useSearchParams } from 'react-router-dom'
import type { Device } from '#contracts/devices.ts'
import { PlaceBars } from '#web/history/charts/place-bars.tsx'
import { Points } from '#web/history/charts/points.tsx'
import { Totals } from '#web/history/charts/totals.tsx'
import { WeekBars } from '#web/history/charts/week-bars.tsx'
import { Player } from '#web/history/playback/player.tsx'
import { Stage } from '#web/history/playback/stage.tsx'
import { usePlayback } from '#web/history/playback/use-playback.ts'
import { historyQuery } from '#web/history/track/history.queries.ts'
import { type Day, formatPeriod, type Period, parsePeriod, periodBounds, toDay } from '#web/history/track/period.ts'
import { buildTrack } from '#web/history/track/track.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { useNow } from '#web/lib/clock.ts'
import { usePlaces } from '#web/places/use-places.ts'
import { useDevices } from '#web/trackers/use-devices.tsx'
import { Failure } from '#web/ui/feedback/failure.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { HistoryMap } from './history-map.tsx'
import { LiveUpdates } from './live.tsx'
import { HistoryFailure } from './missing.tsx'
import { NoData, Panel } from './panel.tsx'
import { Timeline } from './timeline.tsx'
import { UnknownTracker } from './unknown.tsx'

/** Where a tracker was during a period: map, timeline, totals and replay. */
export default function HistoryScreen() {
  const { id } = useParams()
  const { devices, instead } = useDevices()
  const today = toDay(useNow())
  const [search, setSearch] = useSearchParams()
  const period = parsePeriod(search, today)
  if (instead) return <HistoryFailure>{instead}</HistoryFailure>
  if (!devices) return <SkeletonRows />
  const device = devices.find((one) => one.id === Number(id))
  if (!device) return <UnknownTracker />
  return <History device={device} period={period} today={today} show={(next) => setSearch(formatPeriod(next))} />
}

type Props = { device: Device; period: Period | null; today: Day; show: (period: Period) => void }

function History({ device, period, today, show }: Props) {
  const { id, type, kind } = device
  const shown = period ?? { from: today, to: today }
  const { from, to } = shown
  const history = useQuery({ ...historyQuery(id, shown, today), enabled: period !== null })
  const track = useMemo(() => (history.data?.length ? buildTrack(history.data) : null), [history.data])
  const bounds = useMemo(() => periodBounds({ from, to }), [from, to])
  const isToday = to >= today
  const playback = usePlayback(track, shown, isToday)
  const [chosen, setChosen] = useState<{ of: object; leg: number | null } | null>(null)
  const focus = chosen?.of === playback ? (chosen?.leg ?? null) : null
  const places = usePlaces()
  const isReady = track !== null && playback !== null
  return (
    <Stage
      map={(padding) => <HistoryMap device={device} track={track} playback={playback} focus={focus} padding={padding} />}
      player={(onResize) => isReady && <Player type={type} track={track} playback={playback} bounds={bounds} onResize={onResize} />}
      isEmpty={history.isSuccess && !track}
      panel={(isSheet, raise) => (
        <Panel device={device} period={period} today={today} show={show} isSheet={isSheet} raise={raise}>
          {isToday && <LiveUpdates />}
          {history.isPending && <SkeletonRows count={5} />}
          {history.isError && !isLeaving(history.error) && <Failure retry={() => void history.refetch()} />}
          {history.isSuccess && !track && <NoData device={device} period={shown} show={show} />}
          {isReady && (
            <>
              <Totals track={track} />
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
          <WeekBars device={device} period={shown} today={today} show={show} />
          {isReady && <Points type={type} track={track} bounds={bounds} />}
        </Panel>
      )}
    />
  )
}

const isLeaving = (error: Error) => error instanceof ApiError && error.isLeaving
