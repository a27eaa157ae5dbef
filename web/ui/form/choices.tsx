import { type ReactNode, useId } from 'react'
import cardClasses from './choice-cards.module.css'
import classes from './choices.module.css'

type RadioChoice = { value: string; label: string; hint?: string | undefined }
type Props = {
  legend: string
  name: string
  choices: readonly RadioChoice[]
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

type Choice = { value: string; label: string; hint?: ReactNode; icon?: ReactNode }

type ChoiceCardsProps = {
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

export function ChoiceCards({
  legend,
  name,
  choices,
  value,
  defaultValue,
  onChange,
  required,
  disabled,
  error,
  isGrid,
  ...rest
}: ChoiceCardsProps) {
  const id = useId()
  const selectionProps = (choice: Choice) =>
    value === undefined ? { defaultChecked: choice.value === defaultValue } : { checked: choice.value === value }
  return (
    <fieldset
      className={cardClasses.group}
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
      <div className={cardClasses.cards}>
        {choices.map((choice) => (
          <label key={choice.value} className={cardClasses.card}>
            <input
              type="radio"
              name={name}
              value={choice.value}
              required={required}
              {...selectionProps(choice)}
              onChange={() => onChange?.(choice.value)}
            />
            {choice.icon}
            <span className={cardClasses.text}>
              <span>{choice.label}</span>
              {choice.hint && <small>{choice.hint}</small>}
            </span>
          </label>
        ))}
      </div>
      {error && (
        <p id={`${id}-error`} className={cardClasses.error}>
          {error}
        </p>
      )}
    </fieldset>
  )
}
