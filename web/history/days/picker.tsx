import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { HISTORY_MAX_DAYS } from '#contracts/limits/history-limits.ts'
import { markedDaysQuery } from '#web/history/track/history.queries.ts'
import { formatClockText, parseClockText } from '#web/lib/i18n/date-text.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { type Day, isValidPeriod, midnight, namedPeriods, type Period } from '#web/lib/period.ts'
import Calendar from '#web/ui/form/calendar.tsx'
import { DateField } from '#web/ui/form/date-field.tsx'
import { TextField } from '#web/ui/form/fields.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { SegmentedControl } from '#web/ui/form/segmented-control.tsx'
import { readFormValues } from '#web/ui/form/use-form.ts'
import classes from './picker.module.css'

/** `clock` is a time of the day such as `15:00`. */
type Choose = (period: Period, clock?: string) => void

type Props = { id: number; period: Period; today: Day; choose: Choose }

/** Chooses a day, perhaps with a time, or a period: picked from the calendar, typed, or by name. */
export default function Picker({ id, period, today, choose }: Props) {
  const { t } = useTranslation()
  const [kind, setKind] = useState<'day' | 'period'>(period.from === period.to ? 'day' : 'period')
  const [clock, setClock] = useState('')
  const [month, setMonth] = useState(firstOfMonth(period.to))
  const [range, setRange] = useState<[string | null, string | null]>([period.from, period.to])
  const marks = useMarks(id, month, today)
  const shared = { date: month, onDateChange: (date: string) => setMonth(firstOfMonth(date)), maxDate: today, ...marks }
  const minutes = parseClockText(clock)
  return (
    <div className={classes.picker}>
      <SegmentedControl
        label={t('history.chooseDay')}
        value={kind}
        onChange={setKind}
        options={[
          { value: 'day', label: t('history.pick.day') },
          { value: 'period', label: t('history.pick.period') },
        ]}
      />
      {kind === 'period' && (
        <div className={classes.named}>
          {namedPeriods(today).map(({ name, ...named }) => (
            <button key={name} type="button" className={classes.button} onClick={() => choose(named)}>
              {t(`history.pick.${name}`)}
            </button>
          ))}
        </div>
      )}
      {kind === 'day' ? (
        <Calendar
          {...shared}
          value={period.to}
          onChange={(day) => {
            const chosen = day ?? period.to
            choose({ from: chosen, to: chosen }, minutes === null ? undefined : formatClockText(minutes))
          }}
        />
      ) : (
        <Calendar
          {...shared}
          type="range"
          allowSingleDateInRange
          value={range}
          onChange={([from, to]) => {
            setRange([from, to])
            if (from && to && isValidPeriod({ from, to })) choose({ from, to })
          }}
        />
      )}
      <DateForm key={kind} isDay={kind === 'day'} period={period} today={today} choose={choose} clock={clock} onClock={setClock} />
    </div>
  )
}

type DateFormProps = Omit<Props, 'id'> & { isDay: boolean; clock: string; onClock: (clock: string) => void }

function DateForm({ isDay, period, today, choose, clock, onClock }: DateFormProps) {
  const { t } = useTranslation()
  const [fault, setFault] = useState<'period' | 'clock' | null>(null)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = readFormValues(event.currentTarget)
    const to = String(typed.to)
    const next = { from: isDay ? to : String(typed.from), to }
    const minutes = isDay && clock.trim() ? parseClockText(clock) : undefined
    if (!isValidPeriod(next)) return setFault('period')
    if (minutes === null) return setFault('clock')
    choose(next, minutes === undefined ? undefined : formatClockText(minutes))
  }
  return (
    <form className={classes.form} noValidate onSubmit={submit}>
      <div className={classes.fields}>
        {!isDay && <DateField type="date" name="from" label={t('history.pick.from')} defaultValue={period.from} max={today} />}
        <DateField
          type="date"
          name="to"
          label={isDay ? t('history.pick.date') : t('history.pick.to')}
          defaultValue={period.to}
          max={today}
        />
        {isDay && (
          <TextField
            name="clock"
            label={t('history.pick.time')}
            placeholder="15:00"
            autoComplete="off"
            value={clock}
            error={fault === 'clock' ? t('history.typeTimeHint') : null}
            onChange={({ target }) => onClock(target.value)}
          />
        )}
      </div>
      <FormAlert>{fault === 'period' ? t('history.invalid', { days: HISTORY_MAX_DAYS }) : null}</FormAlert>
      <button type="submit" className={classes.button}>
        {t('history.pick.show')}
      </button>
    </form>
  )
}

const firstOfMonth = (day: Day): Day => `${day.slice(0, 7)}-01`

/** Marks the days with positions, for the eye and in their names. */
function useMarks(id: number, month: Day, today: Day) {
  const { t } = useTranslation()
  const formats = useFormats()
  const marked = useQuery(markedDaysQuery(id, month, today)).data
  return {
    getDayAriaLabel: (date: Day) => {
      const name = formats.date(midnight(date))
      return marked?.has(date) ? t('history.pick.withData', { day: name }) : name
    },
    getDayProps: (date: Day) => ({ className: marked?.has(date) ? classes.marked : undefined }),
  }
}
