import { useTranslation } from 'react-i18next'
import { PLACE_RADIUS } from '#contracts/lib/constants.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { TextField } from '#web/ui/form/fields.tsx'
import classes from './place-form.module.css'
import { nearestStep, parseRadius, RADIUS_STEPS } from './radius.ts'

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
