import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useParams, useSearchParams } from 'react-router-dom'
import type { Device } from '#contracts/devices.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { useNow } from '#web/lib/clock.ts'
import { usePlaces } from '#web/lib/places/use-places.ts'
import { useDevices } from '#web/lib/trackers/use-devices.tsx'
import { Failure } from '#web/ui/failure.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'
import { HistoryMap } from './history-map.tsx'
import { Live } from './live.tsx'
import { Missing } from './missing.tsx'
import { NoData, Panel } from './panel.tsx'
import { boundsOf, type Day, dayAt, type Period, readPeriod, writePeriod } from './period.ts'
import { PlaceBars } from './place-bars.tsx'
import { Player } from './player.tsx'
import { Points } from './points.tsx'
import { historyQuery } from './queries.ts'
import { Stage } from './stage.tsx'
import { Timeline } from './timeline.tsx'
import { Totals } from './totals.tsx'
import { trackOf } from './track.ts'
import { Unknown } from './unknown.tsx'
import { usePlayback } from './use-playback.ts'
import { WeekBars } from './week-bars.tsx'

/** Where a tracker was on a day, on the map, in words and in numbers, and played back. */
export default function HistoryScreen() {
  const { id } = useParams()
  const { devices, instead } = useDevices()
  const today = dayAt(useNow())
  const [search, setSearch] = useSearchParams()
  const period = readPeriod(search, today)
  if (instead) return <Missing>{instead}</Missing>
  if (!devices) return <SkeletonRows />
  const device = devices.find((one) => one.id === Number(id))
  if (!device) return <Unknown />
  return <History device={device} period={period} today={today} show={(next) => setSearch(writePeriod(next))} />
}

type Props = { device: Device; period: Period | null; today: Day; show: (period: Period) => void }

function History({ device, period, today, show }: Props) {
  const { id, type, kind } = device
  const shown = period ?? { from: today, to: today }
  const { from, to } = shown
  const history = useQuery({ ...historyQuery(id, shown, today), enabled: period !== null })
  const track = useMemo(() => (history.data?.length ? trackOf(history.data) : null), [history.data])
  const bounds = useMemo(() => boundsOf({ from, to }), [from, to])
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
          {isToday && <Live />}
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
