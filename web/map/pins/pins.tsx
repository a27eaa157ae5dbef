import { memo, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import type { Instant } from '#contracts/rules/time.ts'
import { useSteadyNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { flyTo, placeOn } from '#web/map/camera.ts'
import { useMapStage } from '#web/map/map-context.ts'
import { type Face, KindIcon } from '#web/trackers/parts/kind-icon.tsx'
import { STATE_GROUPS, type StateGroup } from '#web/trackers/state.ts'
import { LongRows } from '#web/ui/lists/long-rows.tsx'
import { ClusterButton } from './cluster-button.tsx'
import { createClusters, type Group, pixelOf } from './clusters.ts'
import { lift, useLifted } from './lifted.ts'
import { MapMarker } from './map-marker.tsx'
import { Pin } from './pin.tsx'
import classes from './pins.module.css'
import { useView } from './use-view.ts'

export type PinItem = LatLng &
  Face & {
    id: number
    name: string
    group: StateGroup
    isMoving?: boolean
    /** The last contact of a lost tracker. */
    heard?: Instant | null
    /** For screen readers; computed on access, because most pins of a large fleet are not drawn. */
    readonly label: string
    heading?: number | undefined
  }

type Props = { items: readonly PinItem[]; selected?: number | null; hasNames?: boolean; onSelect?: (id: number) => void }

/**
 * Pins of trackers. Overlapping ones are grouped behind one button, except the selected one and lost ones. An item whose object is unchanged
 * is not rendered again.
 */
export function Pins({ items, selected = null, hasNames = false, onSelect }: Props) {
  const { map, padding } = useMapStage()
  const { zoom, box } = useView(map)
  const select = useLatest(onSelect)
  const lifted = useLifted()
  const grouped = useThrottled(items, items.length > FLEET ? REGROUP_MS : 0)
  const clusters = useMemo(
    () =>
      createClusters(
        grouped.filter(({ id, group }) => id !== selected && group !== 'lost'),
        map.getMaxZoom(),
      ),
    [grouped, selected, map],
  )
  const groups = useMemo(() => clusters(box, zoom), [clusters, box, zoom])
  const current = useMemo(() => new Map(items.map((item) => [item.id, item])), [items])
  const captions = useMemo(() => captionsOf(items, zoom, selected), [items, zoom, selected])
  const lone = groups.flatMap(({ members }) => (members.length === 1 ? members : []))
  const alone = [
    ...lone.flatMap(({ id }) => current.get(id) ?? []),
    ...items.filter(({ id, group }) => id === selected || group === 'lost'),
  ]
  // Out of its group for as long as its row is pointed at.
  const grouping = lifted === null || alone.some(({ id }) => id === lifted) ? undefined : current.get(lifted)
  if (grouping) alone.push(grouping)
  return (
    <>
      {alone.map((item) => (
        <SinglePin
          key={item.id}
          item={item}
          isSelected={item.id === selected}
          isLifted={item.id === lifted}
          hasName={hasNames}
          captionSide={captions.get(item.id)}
          onSelect={select}
        />
      ))}
      {groups
        .filter(({ members }) => members.length > 1)
        .map((group) => (
          <ClusterMarker
            key={group.key}
            group={group}
            onOpen={group.opensAt === null ? null : () => flyTo(map, group.at, padding, group.opensAt!)}
            onSelect={select}
          />
        ))}
    </>
  )
}

/** Pixels of a lost pin and of its caption, as in pin.module.css. */
const LOST_PIN = 46
const CAPTION = { width: 200, height: 22, gap: 8 }
/** More captions than this would hide the map. */
const MOST_CAPTIONS = 100

type Spot = { id: number; x: number; y: number }
type Side = 'below' | 'above'

const boxAround = (id: number, x: number, y: number, width: number, height: number) => ({
  id,
  left: x - width / 2,
  right: x + width / 2,
  top: y - height / 2,
  bottom: y + height / 2,
})

function captionBox({ id, x, y }: Spot, side: Side) {
  const away = LOST_PIN / 2 + CAPTION.gap + CAPTION.height / 2
  return boxAround(id, x, side === 'below' ? y + away : y - away, CAPTION.width, CAPTION.height)
}

/** The upper one of two that are close together has its caption above, so that both captions are on the outside. */
function sidesOf(spot: Spot, spots: readonly Spot[]): readonly Side[] {
  const isAbove = (other: Spot) => {
    const down = other.y - spot.y || other.id - spot.id
    return down > 0 && other.y - spot.y < LOST_PIN + CAPTION.height && Math.abs(other.x - spot.x) < CAPTION.width
  }
  return spots.some(isAbove) ? ['above', 'below'] : ['below', 'above']
}

/**
 * On which side of its pin the caption of each lost tracker is, so that it covers neither another lost one nor its caption. One that fits
 * nowhere is left out.
 */
export function placeCaptions(spots: readonly Spot[]) {
  const taken = spots.map(({ id, x, y }) => boxAround(id, x, y, LOST_PIN, LOST_PIN))
  const sides = new Map<number, Side>()
  for (const spot of spots.slice(0, MOST_CAPTIONS)) {
    const isFree = (side: Side) => {
      const box = captionBox(spot, side)
      return !taken.some(
        (other) =>
          other.id !== spot.id && box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom,
      )
    }
    const side = sidesOf(spot, spots).find(isFree)
    if (!side) continue
    sides.set(spot.id, side)
    taken.push(captionBox(spot, side))
  }
  return sides
}

/** The selected one comes first, then the others in a fixed order, so that captions stay where they are. */
const captionsOf = (items: readonly PinItem[], zoom: number, selected: number | null) =>
  placeCaptions(
    items
      .filter(({ group }) => group === 'lost')
      .toSorted((a, b) => Number(b.id === selected) - Number(a.id === selected) || a.id - b.id)
      .map((item) => ({ id: item.id, ...pixelOf(item, zoom) })),
  )

type SinglePinProps = {
  item: PinItem
  isSelected: boolean
  isLifted: boolean
  hasName: boolean
  /** Undefined for a lost tracker whose caption does not fit. */
  captionSide: Side | undefined
  onSelect: (id: number) => void
}

const SinglePin = memo(function SinglePin({ item, isSelected, isLifted, hasName, captionSide, onSelect }: SinglePinProps) {
  const { map } = useMapStage()
  return (
    <MapMarker at={item} rise={riseOf(item, isSelected) + (isLifted ? 2000 : 0)}>
      <Pin
        of={item}
        label={item.label}
        group={item.group}
        isMoving={item.isMoving}
        isCaptionAbove={captionSide === 'above'}
        caption={item.group === 'lost' ? (captionSide || isSelected || isLifted) && <LostCaption item={item} /> : hasName && item.name}
        heading={item.heading}
        isSelected={isSelected}
        isLifted={isLifted}
        onHover={(isOver) => lift(isOver ? item.id : null)}
        onClick={() => onSelect(item.id)}
        onFocus={() => map.panInside(placeOn(map, item), { padding: [60, 60] })}
      />
    </MapMarker>
  )
})

/** Names what is looked for and how old its position is, whether names are shown or not. */
function LostCaption({ item: { name, heard } }: { item: PinItem }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const now = useSteadyNow()
  return <>{[name, t('groups.lost'), heard && formats.age(heard, now)].filter(Boolean).join(' · ')}</>
}

/** Nothing may cover a lost tracker, but the list of a group that was opened. */
const riseOf = ({ group }: PinItem, isSelected: boolean) => (group === 'lost' ? 1500 : 0) + (isSelected ? 1000 : 0)

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
  group: Group<PinItem>
  /** Zooms in until the members separate; null when they are at the same spot and are listed instead. */
  onOpen: (() => void) | null
  onSelect: (id: number) => void
}

/** Pixels, as in pins.module.css. */
const ROW_HEIGHT = 40

function ClusterMarker({ group: { at, count, tally, members, hasFaces }, onOpen, onSelect }: ClusterMarkerProps) {
  const { t } = useTranslation()
  const [isListed, setListed] = useState(false)
  const label = t('map.cluster', { count })
  const names = members.map(({ name }) => name).join(', ')
  const states = STATE_GROUPS.filter((group) => tally[group] > 0).map((group) => `${t(`groups.${group}`)} ${tally[group]}`)
  return (
    <MapMarker at={at} rise={isListed ? 4000 : 500}>
      <ClusterButton
        group={{ count, tally, members, hasFaces }}
        label={`${label}. ${states.join(', ')}. ${names}${count > members.length ? ', …' : ''}`}
        isExpanded={onOpen ? undefined : isListed}
        onClick={onOpen ?? (() => setListed(!isListed))}
        onEscape={() => setListed(false)}
      />
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
