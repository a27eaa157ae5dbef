import { type ReactNode, useId } from 'react'
import classes from './segmented-control.module.css'

type Props<T extends string> = {
  label: string
  value: T
  onChange: (value: T) => void
  options: readonly { value: T; label: string; icon?: ReactNode }[]
}

/** Radio buttons as a segmented control. */
export function SegmentedControl<T extends string>({ label, value, onChange, options }: Props<T>) {
  const name = useId()
  return (
    <fieldset className={classes.segmented} aria-label={label}>
      {options.map((option) => (
        <label key={option.value} className={classes.option}>
          <input type="radio" name={name} value={option.value} checked={option.value === value} onChange={() => onChange(option.value)} />
          {option.icon}
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}
