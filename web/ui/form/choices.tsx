import { useId } from 'react'
import classes from './choices.module.css'

type Choice = { value: string; label: string; hint?: string | undefined }
type Props = {
  legend: string
  name: string
  choices: readonly Choice[]
  value?: string
  onChange?: (value: string) => void
  isList?: boolean
  isDisabled?: boolean
}

export function Choices({ legend, name, choices, value, onChange, isList = false, isDisabled = false }: Props) {
  const id = useId()
  return (
    <fieldset className={classes.choices} data-list={isList || undefined} aria-labelledby={id} disabled={isDisabled}>
      <legend id={id}>{legend}</legend>
      <div>
        {choices.map((choice) => (
          <label key={choice.value}>
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={choice.value === value}
              onChange={() => onChange?.(choice.value)}
            />
            <span>{choice.label}</span>
            {choice.hint && <small>{choice.hint}</small>}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
