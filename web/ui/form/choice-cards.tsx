import { type ReactNode, useId } from 'react'
import classes from './choice-cards.module.css'

export type Choice = { value: string; label: string; hint?: ReactNode; icon?: ReactNode }

type Props = {
  legend: string
  name: string
  choices: readonly Choice[]
  value?: string
  defaultValue?: string
  onChange?: (value: string) => void
  required?: boolean
  disabled?: boolean
  error?: string | undefined
  'aria-invalid'?: boolean
  /** Small cards with the icon above the label; otherwise rows with a hint. */
  isGrid?: boolean
}

export function ChoiceCards({ legend, name, choices, value, defaultValue, onChange, required, disabled, error, isGrid, ...rest }: Props) {
  const id = useId()
  const selectionProps = (choice: Choice) =>
    value === undefined ? { defaultChecked: choice.value === defaultValue } : { checked: choice.value === value }
  return (
    <fieldset
      className={classes.group}
      data-grid={isGrid || undefined}
      data-invalid={rest['aria-invalid'] || undefined}
      aria-labelledby={id}
      aria-describedby={error ? `${id}-error` : undefined}
      disabled={disabled}
    >
      <legend id={id}>
        {legend}
        {required && <span aria-hidden="true"> *</span>}
      </legend>
      <div className={classes.cards}>
        {choices.map((choice) => (
          <label key={choice.value} className={classes.card}>
            <input
              type="radio"
              name={name}
              value={choice.value}
              required={required}
              {...selectionProps(choice)}
              onChange={() => onChange?.(choice.value)}
            />
            {choice.icon}
            <span className={classes.text}>
              <span>{choice.label}</span>
              {choice.hint && <small>{choice.hint}</small>}
            </span>
          </label>
        ))}
      </div>
      {error && (
        <p id={`${id}-error`} className={classes.error}>
          {error}
        </p>
      )}
    </fieldset>
  )
}
