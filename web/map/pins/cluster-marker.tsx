import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import { KindIcon } from '#web/trackers/parts/kind-icon.tsx'
import classes from './cluster-marker.module.css'
import { MapMarker } from './map-marker.tsx'
import type { PinItem } from './pins.tsx'

type Props = {
  at: LatLng
  members: readonly PinItem[]
  /** Zooms in until the members separate; null when they are at the same spot and are listed instead. */
  onOpen: (() => void) | null
  onSelect: (id: number) => void
}

export function ClusterMarker({ at, members, onOpen, onSelect }: Props) {
  const { t } = useTranslation()
  const [isListed, setListed] = useState(false)
  const label = t('map.cluster', { count: members.length })
  return (
    <MapMarker at={at} rise={isListed ? 2000 : 500}>
      <button
        type="button"
        className={classes.cluster}
        aria-label={`${label}: ${members.map(({ name }) => name).join(', ')}`}
        aria-expanded={onOpen ? undefined : isListed}
        onClick={onOpen ?? (() => setListed(!isListed))}
        onKeyDown={({ key }) => key === 'Escape' && setListed(false)}
      >
        {members.length}
      </button>
      {isListed && !onOpen && (
        <ul className={classes.list} aria-label={label}>
          {members.map(({ id, name, kind }) => (
            <li key={id}>
              <button type="button" onClick={() => onSelect(id)}>
                <KindIcon kind={kind} size={18} />
                {name}
              </button>
            </li>
          ))}
        </ul>
      )}
    </MapMarker>
  )
}
