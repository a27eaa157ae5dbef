import { useTranslation } from 'react-i18next'
import { PLACE_RADIUS } from '#contracts/rules/geo/place.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { TextField } from '#web/ui/form/fields.tsx'
import classes from './place-form.module.css'

/** Stops of the slider in metres, each about a quarter larger than the last, so that a house and a city are equally easy to set. */
export const RADIUS_STEPS = [
  50, 75, 100, 125, 150, 200, 250, 300, 400, 500, 650, 800, 1000, 1250, 1500, 2000, 2500, 3000, 4000, 5000, 6500, 8000, 10_000,
] as const

/** Index of the nearest stop on a logarithmic scale. */
export const nearestStep = (radius: number) => {
  const far = RADIUS_STEPS.map((stop) => Math.abs(Math.log(stop / Math.max(1, radius))))
  return far.indexOf(Math.min(...far))
}

/** Rounds a distance dragged on the map to a valid radius in metres. */
export const roundRadius = (meters: number) => {
  const grain = meters < 1000 ? 10 : 100
  return Math.min(PLACE_RADIUS.max, Math.max(PLACE_RADIUS.min, Math.round(meters / grain) * grain))
}

/** Parses a radius in metres; null if it is invalid. */
export const parseRadius = (text: string) => {
  const radius = Number(text)
  return Number.isInteger(radius) && radius >= PLACE_RADIUS.min && radius <= PLACE_RADIUS.max ? radius : null
}

type Props = {
  name: string
  error?: string | undefined
  'aria-invalid'?: boolean
  typed: string
  /** The last valid radius. */
  drawn: number
  onChange: (typed: string) => void
}

export function RadiusField({ typed, drawn, onChange, error, 'aria-invalid': isInvalid, ...rest }: Props) {
  const { t } = useTranslation()
  const formats = useFormats()
  const isBad = isInvalid === true && parseRadius(typed) === null
  return (
    <div className={classes.radius}>
      <TextField
        {...rest}
        error={isBad && error}
        aria-invalid={isBad}
        label={t('places.radiusMeters')}
        type="number"
        inputMode="numeric"
        required
        min={PLACE_RADIUS.min}
        max={PLACE_RADIUS.max}
        step={1}
        value={typed}
        onChange={({ target }) => onChange(target.value)}
      />
      <input
        type="range"
        aria-label={t('places.radius')}
        aria-valuetext={formats.distance(drawn)}
        min={0}
        max={RADIUS_STEPS.length - 1}
        value={nearestStep(drawn)}
        onChange={({ target }) => onChange(String(RADIUS_STEPS[Number(target.value)]))}
      />
      <output>{formats.distance(drawn)}</output>
    </div>
  )
}
