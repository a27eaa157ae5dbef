import { IconFocusCentered } from '@tabler/icons-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SharedTracker, ShownTracker } from '#contracts/links.ts'
import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import { flyTo, keepInView, NO_PADDING, showAll } from '#web/map/camera.ts'
import { KeepPoints } from '#web/map/keep-points.tsx'
import { useMapStage } from '#web/map/map-context.ts'
import { MapView } from '#web/map/map-view.tsx'
import { type PinItem, Pins } from '#web/map/pins/pins.tsx'
import { AccuracyCircle, boxCorners } from '#web/map/shapes/circles.tsx'
import { toPath } from '#web/map/shapes/path.ts'
import { Trace } from '#web/map/shapes/trace.tsx'
import { MapTools } from '#web/map/tools/map-tools.tsx'
import { useMapLayout } from '#web/map/use-map-layout.ts'
import { KindDisc } from '#web/trackers/parts/kind-icon.tsx'
import { dropWrong } from '#web/trackers/trace/wrong-positions.ts'
import { FloatingCard } from '#web/ui/floating-card.tsx'
import { DestinationOnMap, useArrival } from './destination.tsx'
import classes from './public-group-view.module.css'
import frame from './public-link-view.module.css'
import { Freshness, type SharedView, Until } from './public-link-view.tsx'

/** A link to several trackers: all of them on the map and in a list. The map follows the one that is chosen. */
export function PublicGroupView({ shared, isListed }: SharedView) {
  const { t } = useTranslation()
  const [chosen, setChosen] = useState<string | null>(null)
  const members = listShown(shared)
  const isAll = !members.some(({ key }) => key === chosen)
  return (
    <div className={frame.view}>
      <PublicGroupMap members={members} to={shared.destination} chosen={isAll ? null : chosen} onChoose={setChosen} />
      <FloatingCard className={`${frame.over} ${classes.card}`} label={t('title.pubTrackers')}>
        <header>
          <h1>{shared.label || t('trackers.heading')}</h1>
          {shared.destination && <p>{t('shared.destination', { name: shared.destination.name })}</p>}
          {!isListed && (
            <p>
              <Until shared={shared} />
            </p>
          )}
        </header>
        <ul className={classes.list} aria-label={t('trackers.heading')}>
          <li>
            <button type="button" aria-pressed={isAll} onClick={() => setChosen(null)}>
              <span className={classes.all}>
                <IconFocusCentered size={20} aria-hidden="true" />
              </span>
              <b>{t('home.allTrackers')}</b>
            </button>
          </li>
          {members.map((member) => (
            <li key={member.key}>
              <Choice member={member} to={shared.destination} isChosen={member.key === chosen} onChoose={setChosen} />
            </li>
          ))}
        </ul>
      </FloatingCard>
    </div>
  )
}

type Props = { member: Member; to: SharedTracker['destination']; isChosen: boolean; onChoose: (key: string) => void }

function Choice({ member, to, isChosen, onChoose }: Props) {
  const { key, tracker } = member
  const arrival = useArrival(member, to)
  return (
    <button type="button" aria-pressed={isChosen} onClick={() => onChoose(key)}>
      <KindDisc of={tracker} size={36} />
      <span className={classes.words}>
        <b>{tracker.name}</b>
        <small>
          <Freshness of={member} />
        </small>
        {arrival && <small>{arrival}</small>}
      </span>
    </button>
  )
}

/** A tracker of a link. The public response has no ids, so the key is its name, with a number if others have the same name. */
type Member = ShownTracker & { key: string }

function listShown({ tracker, last_position, positions, arrives_at, resting, others = [] }: SharedTracker): Member[] {
  const seen = new Map<string, number>()
  return [{ tracker, last_position, positions, arrives_at, resting }, ...others].map((member) => {
    const { name } = member.tracker
    const number = (seen.get(name) ?? 0) + 1
    seen.set(name, number)
    return { ...member, key: `${name}/${number}` }
  })
}

/** Pixels that the card covers: a column at the left, or rows at the top of a narrow window. */
const PADDING = { wide: { ...NO_PADDING, left: 360 }, low: { ...NO_PADDING, left: 300 }, narrow: { ...NO_PADDING, top: 192 } }

type MemberProps = { members: readonly Member[]; to: SharedTracker['destination']; chosen: string | null; onChoose: (key: string) => void }

function PublicGroupMap({ members, to, chosen, onChoose }: MemberProps) {
  const layout = useMapLayout()
  const placed = members.flatMap((member) => (member.last_position ? [{ member, at: member.last_position }] : []))
  const pins = placed.map(({ member: { tracker, key }, at: { lat, lng } }): PinItem => {
    const { name, kind, icon, photo } = tracker
    return { id: members.findIndex((each) => each.key === key), name, kind, icon, photo, lat, lng, group: 'rest', label: name }
  })
  const shown = to ? [...pins, ...boxCorners(to)] : pins
  const selected = placed.find(({ member }) => member.key === chosen)
  return (
    <MapView points={shown} padding={PADDING[layout]}>
      {members.map((member) => (chosen === null || member.key === chosen) && <MemberTrace key={member.key} member={member} />)}
      {to && <DestinationOnMap to={to} />}
      {selected && <AccuracyCircle at={selected.at} radius={selected.at.precision} kind={selected.member.tracker.kind} />}
      <Pins
        items={pins}
        selected={members.findIndex(({ key }) => key === selected?.member.key)}
        hasNames
        onSelect={(id) => members[id] && onChoose(members[id].key)}
      />
      <Camera chosen={chosen} at={selected?.at} all={shown} />
      <KeepPoints points={selected ? [selected.at] : pins} shown={selected ? [selected.at] : shown} />
      <MapTools points={shown} />
    </MapView>
  )
}

function MemberTrace({ member: { tracker, positions } }: { member: Member }) {
  const path = useMemo(() => toPath(dropWrong(positions)), [positions])
  return <Trace path={path} token={`--kind-${tracker.kind}`} weight={3} />
}

/** Flies to the chosen tracker and stays with it; shows all when none is chosen any more. */
function Camera({ chosen, at, all }: { chosen: string | null; at: LatLng | undefined; all: readonly LatLng[] }) {
  const { map, padding } = useMapStage()
  const before = useRef(chosen)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a choice or a move of the chosen tracker moves the map
  useEffect(() => {
    const isChoice = before.current !== chosen
    before.current = chosen
    if (at) isChoice ? flyTo(map, at, padding) : keepInView(map, at, padding)
    else if (isChoice && chosen === null) showAll(map, all, padding)
  }, [map, chosen, at?.lat, at?.lng])
  return null
}
