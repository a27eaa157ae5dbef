import type { Place } from '#contracts/places.ts'
import { PlaceIcon } from './place-icon.tsx'
import classes from './place-pin.module.css'

type Props = { place: Pick<Place, 'name' | 'type'>; isSelected: boolean; hasName: boolean; onClick: () => void; onFocus: () => void }

export const PlacePin = ({ place: { name, type }, isSelected, hasName, onClick, onFocus }: Props) => (
  <button type="button" className={classes.pin} aria-label={name} aria-pressed={isSelected} onClick={onClick} onFocus={onFocus}>
    <PlaceIcon type={type} size={20} />
    {hasName && (
      <span className={classes.caption} aria-hidden="true">
        {name}
      </span>
    )}
  </button>
)

/** A place that cannot be chosen, always with its name. */
export const PlaceMark = ({ name, label }: { name: string; label: string }) => (
  <div role="img" aria-label={label} className={`${classes.pin} ${classes.mark}`}>
    <PlaceIcon type="other" size={20} />
    <span className={classes.caption}>{name}</span>
  </div>
)
