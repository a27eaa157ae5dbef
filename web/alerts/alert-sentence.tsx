import { useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { GAP, type SentencePart, type Slot } from './alert.format.ts'
import classes from './alert.module.css'

/** A form field that a part of the sentence fills in. */
export type SentenceField = { name: string; value: string; error: string | undefined }

type Props = {
  sentences: readonly SentencePart[][]
  /** The fields by their part; those that are absent need no value. */
  fields: { [slot in Slot]?: SentenceField }
  onOpen: (slot: Slot) => void
}

/** A comma or a full stop that follows a part at once. */
const STOP = /^[,.:;、。]+/

/** The sentence of an alert, whose parts are buttons that open their choices. The parts of a second sentence are text. */
export function AlertSentence({ sentences: [first = [], ...others], fields, onOpen }: Props) {
  const { t } = useTranslation()
  const id = useId()
  const chips = useRef<Partial<Record<Slot, HTMLButtonElement | null>>>({})
  const labels: Record<Slot, string> = { who: t('alerts.who'), event: t('alerts.when'), place: t('alerts.place'), whom: t('alerts.whom') }
  const slots = (Object.keys(labels) as Slot[]).filter((slot) => fields[slot])
  return (
    <div className={classes.sentence}>
      {first.map(({ slot, text }, nth) =>
        slot === null ? (
          text.replace(STOP, '')
        ) : (
          // No line begins with a comma or a full stop.
          <span key={`${slot} ${first.slice(0, nth).length}`} className={classes.together}>
            <button
              ref={(chip) => {
                chips.current[slot] = chip
              }}
              type="button"
              className={classes.chip}
              data-empty={text === GAP || undefined}
              aria-haspopup="dialog"
              aria-label={`${labels[slot]}: ${text}`}
              aria-describedby={fields[slot]?.error ? `${id}-${slot}` : undefined}
              data-invalid={fields[slot]?.error ? true : undefined}
              onClick={() => onOpen(slot)}
            >
              <span className={classes.names}>{text === GAP ? labels[slot] : text}</span>
            </button>
            {STOP.exec(first[nth + 1]?.text ?? '')?.[0]}
          </span>
        ),
      )}
      {others.flat().map(({ text }) => text)}
      {slots.map((slot) => (
        // Represents the choice in the form, and passes focus on to its button, e.g. when nothing is chosen.
        <input
          key={slot}
          className={classes.hidden}
          name={fields[slot]!.name}
          value={fields[slot]!.value}
          required
          readOnly
          tabIndex={-1}
          aria-hidden="true"
          onFocus={() => chips.current[slot]?.focus()}
        />
      ))}
      {slots.map(
        (slot) =>
          fields[slot]!.error && (
            <p key={slot} id={`${id}-${slot}`} className={classes.error}>
              {fields[slot]!.error}
            </p>
          ),
      )}
    </div>
  )
}
