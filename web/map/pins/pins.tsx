import { memo, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import { flyTo, placeOn } from '#web/map/camera.ts'
import { useMapStage } from '#web/map/map-context.ts'
import { type Face, KindDisc, KindIcon } from '#web/trackers/parts/kind-icon.tsx'
import { isStale, type TrackerState } from '#web/trackers/state.ts'
import { LongRows } from '#web/ui/lists/long-rows.tsx'
import { createClusters, MAX_FACES } from './clusters.ts'
import { MapMarker } from './map-marker.tsx'
import { Pin } from './pin.tsx'
import classes from './pins.module.css'
import { useView } from './use-view.ts'

export type PinItem = LatLng &
  Face & {
    id: number
    name: string
    state: TrackerState
    /** For screen readers; computed on access, because most pins of a large fleet are not drawn. */
    readonly label: string
    heading?: number | undefined
  }

type Props = { items: readonly PinItem[]; selected?: number | null; hasNames?: boolean; onSelect?: (id: number) => void }

/**
 * Pins of trackers. Overlapping ones are grouped behind one button, except the selected one. An item whose object is unchanged is not
 * rendered again.
 */
export function Pins({ items, selected = null, hasNames = false, onSelect }: Props) {
  const { map, padding } = useMapStage()
  const { zoom, box } = useView(map)
  const select = useLatest(onSelect)
  const grouped = useThrottled(items, items.length > FLEET ? REGROUP_MS : 0)
  const clusters = useMemo(
    () =>
      createClusters(
        grouped.filter(({ id }) => id !== selected),
        map.getMaxZoom(),
      ),
    [grouped, selected, map],
  )
  const groups = useMemo(() => clusters(box, zoom), [clusters, box, zoom])
  const current = useMemo(() => new Map(items.map((item) => [item.id, item])), [items])
  const lone = groups.flatMap(({ members }) => (members.length === 1 ? members : []))
  const alone = [...lone.flatMap(({ id }) => current.get(id) ?? []), ...items.filter(({ id }) => id === selected)]
  return (
    <>
      {alone.map((item) => (
        <SinglePin key={item.id} item={item} isSelected={item.id === selected} hasName={hasNames} onSelect={select} />
      ))}
      {groups
        .filter(({ members }) => members.length > 1)
        .map(({ key, at, count, members, opensAt }) => (
          <ClusterMarker
            key={key}
            at={at}
            count={count}
            members={members}
            onOpen={opensAt === null ? null : () => flyTo(map, at, padding, opensAt)}
            onSelect={select}
          />
        ))}
    </>
  )
}

type SinglePinProps = { item: PinItem; isSelected: boolean; hasName: boolean; onSelect: (id: number) => void }

const SinglePin = memo(function SinglePin({ item, isSelected, hasName, onSelect }: SinglePinProps) {
  const { map } = useMapStage()
  return (
    <MapMarker at={item} rise={isSelected ? 1000 : 0}>
      <Pin
        of={item}
        label={item.label}
        caption={hasName ? item.name : undefined}
        heading={item.heading}
        isSelected={isSelected}
        isMoving={item.state === 'moving'}
        isLost={item.state === 'lost'}
        isStale={isStale(item.state)}
        onClick={() => onSelect(item.id)}
        onFocus={() => map.panInside(placeOn(map, item), { padding: [60, 60] })}
      />
    </MapMarker>
  )
})

/** Above this number of pins the groups follow moves with a delay, because each grouping iterates over all of them. */
const FLEET = 500
const REGROUP_MS = 1000

/** The value, updated at most once every `ms`; at once if that is 0. */
function useThrottled<T>(value: T, ms: number): T {
  const [shown, setShown] = useState(value)
  const updatedAt = useRef(0)
  useEffect(() => {
    if (ms === 0 || value === shown) return
    const update = () => {
      updatedAt.current = performance.now()
      setShown(value)
    }
    const timer = setTimeout(update, Math.max(0, updatedAt.current + ms - performance.now()))
    return () => clearTimeout(timer)
  }, [value, shown, ms])
  return ms === 0 ? value : shown
}

/** A function that stays the same and calls the latest `work`. */
function useLatest(work: ((id: number) => void) | undefined) {
  const latest = useRef(work)
  useEffect(() => {
    latest.current = work
  })
  return useCallback((id: number) => latest.current?.(id), [])
}

type ClusterMarkerProps = {
  at: LatLng
  count: number
  /** All members if they are listed, otherwise those to read out. */
  members: readonly PinItem[]
  /** Zooms in until the members separate; null when they are at the same spot and are listed instead. */
  onOpen: (() => void) | null
  onSelect: (id: number) => void
}

/** Pixels, as in cluster-marker.module.css. */
const ROW_HEIGHT = 40

function ClusterMarker({ at, count, members, onOpen, onSelect }: ClusterMarkerProps) {
  const { t } = useTranslation()
  const [isListed, setListed] = useState(false)
  const label = t('map.cluster', { count })
  const names = members.map(({ name }) => name).join(', ')
  return (
    <MapMarker at={at} rise={isListed ? 2000 : 500}>
      <button
        type="button"
        className={members.length === count && count <= MAX_FACES ? classes.faces : classes.cluster}
        aria-label={`${label}: ${names}${count > members.length ? ', …' : ''}`}
        data-many={count > 999 || undefined}
        aria-expanded={onOpen ? undefined : isListed}
        onClick={onOpen ?? (() => setListed(!isListed))}
        onKeyDown={({ key }) => key === 'Escape' && setListed(false)}
      >
        {members.length === count && count <= MAX_FACES
          ? members.map((member) => <KindDisc key={member.id} of={member} size={32} />)
          : count}
      </button>
      {isListed && !onOpen && (
        <ul className={classes.list} aria-label={label}>
          <LongRows items={members} as="li" rowHeight={ROW_HEIGHT}>
            {({ id, name, kind }, attributes) => (
              <li {...attributes}>
                <button type="button" onClick={() => onSelect(id)}>
                  <KindIcon kind={kind} size={18} />
                  {name}
                </button>
              </li>
            )}
          </LongRows>
        </ul>
      )}
    </MapMarker>
  )
}
