import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { SHAPE_LIMITS } from '#contracts/rules/geo/shape.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import classes from './width-field.module.css'

/** Stops of the slider in metres. */
const STEPS = [20, 30, 40, 50, 75, 100, 150, 200, 250, 300, 400, 500, 750, 1000, 1500, 2000] as const

const nearestStep = (width: number) => {
  const far = STEPS.map((stop) => Math.abs(Math.log(stop / width)))
  return far.indexOf(Math.min(...far))
}

/** Chooses how far a tracker may be from the way, on each side. */
export function WidthField({ width, onChange }: { width: number; onChange: (width: number) => void }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const id = useId()
  return (
    <div className={classes.width}>
      <label htmlFor={id}>{t('places.shape.width')}</label>
      <input
        id={id}
        type="range"
        aria-valuetext={formats.distance(width)}
        min={0}
        max={STEPS.length - 1}
        value={nearestStep(width)}
        onChange={({ target }) => onChange(STEPS[Number(target.value)] ?? SHAPE_LIMITS.width.default)}
      />
      <output>{formats.distance(width)}</output>
    </div>
  )
}
