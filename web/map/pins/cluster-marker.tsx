import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import { KindDisc, KindIcon } from '#web/trackers/parts/kind-icon.tsx'
import { LongRows } from '#web/ui/lists/long-rows.tsx'
import classes from './cluster-marker.module.css'
import { MAX_FACES } from './clusters.ts'
import { MapMarker } from './map-marker.tsx'
import type { PinItem } from './pins.tsx'

type Props = {
  at: LatLng
  count: number
  /** All of them when they are listed, otherwise those to read out. */
  members: readonly PinItem[]
  /** Zooms in until the members separate; null when they are at the same spot and are listed instead. */
  onOpen: (() => void) | null
  onSelect: (id: number) => void
}

/** Pixels, as in cluster-marker.module.css. */
const ROW_HEIGHT = 40

export function ClusterMarker({ at, count, members, onOpen, onSelect }: Props) {
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
