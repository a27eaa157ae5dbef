import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import type { Place } from '#contracts/places.ts'
import { PLACE_TYPES } from '#contracts/rules/geo/place.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { PlaceIcon } from '#web/places/place-icon.tsx'
import { KindDisc } from '#web/trackers/parts/kind-icon.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import classes from './places.module.css'

type Props = { place: Place; devices: readonly Device[]; isChosen: boolean; onChoose: () => void; onRemove?: () => void }

export function PlaceLine({ place: { id, name, address, type, radius, shape }, devices, isChosen, onChoose, onRemove }: Props) {
  const { t } = useTranslation()
  const formats = useFormats()
  const line = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isChosen) line.current?.scrollIntoView({ block: 'nearest' })
  }, [isChosen])
  return (
    <li ref={line} className={classes.line} data-chosen={isChosen || undefined}>
      <button type="button" className={classes.icon} aria-label={t('places.onMap', { name })} aria-pressed={isChosen} onClick={onChoose}>
        <PlaceIcon type={type} />
      </button>
      <div className={classes.what}>
        <Link to={`/places/${encodeURIComponent(id)}`}>{name}</Link>
        <span>{address}</span>
        <span className={classes.facts}>
          <span>{t(`places.types.${pickListed(PLACE_TYPES, type, 'other')}`)}</span>
          <span>{shape ? t(`places.shape.kinds.${shape.type}`) : formats.distance(radius)}</span>
          <EnabledTrackers devices={devices} />
        </span>
      </div>
      {onRemove && (
        <div className={classes.buttons}>
          <IconButton label={t('action.edit')} of={name} Icon={IconPencil} to={`/places/${encodeURIComponent(id)}`} />
          <IconButton label={t('action.delete')} of={name} Icon={IconTrash} onClick={onRemove} />
        </div>
      )}
    </li>
  )
}

/** Number of names shown; the rest is counted. */
const SHOWN_NAMES = 3

function EnabledTrackers({ devices }: { devices: readonly Device[] }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const rest = devices.slice(SHOWN_NAMES)
  if (devices.length === 0) return <span>{t('places.noTrackers')}</span>
  return (
    <ul className={classes.trackers} aria-label={t('places.trackers')}>
      {devices.slice(0, SHOWN_NAMES).map((device) => (
        <li key={device.id}>
          <KindDisc of={device} size={22} />
          {device.name}
        </li>
      ))}
      {rest.length > 0 && (
        <li title={rest.map(({ name }) => name).join(', ')}>
          <span aria-hidden="true">+{formats.number(rest.length)}</span>
          <VisuallyHidden>{rest.map(({ name }) => name).join(', ')}</VisuallyHidden>
        </li>
      )}
    </ul>
  )
}
