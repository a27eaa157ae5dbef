import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { HISTORY_MAX_DAYS } from '#contracts/lib/constants.ts'
import { addDays, type Day, isValidPeriod, type Period } from '#web/history/track/period.ts'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { SegmentedControl } from '#web/ui/form/segmented-control.tsx'
import { Calendar } from './calendar.tsx'
import classes from './picker.module.css'

type DateFormProps = { isDay: boolean; period: Period; today: Day; choose: (period: Period) => void }

function DateForm({ isDay, period, today, choose }: DateFormProps) {
  const { t } = useTranslation()
  const [isRefused, setRefused] = useState(false)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = new FormData(event.currentTarget)
    const to = String(typed.get('to'))
    const next = { from: isDay ? to : String(typed.get('from')), to }
    setRefused(!isValidPeriod(next))
    if (isValidPeriod(next)) choose(next)
  }
  const field = (name: 'from' | 'to', label: string) => (
    <label className={classes.field}>
      {label}
      <input type="date" name={name} max={today} defaultValue={period[name]} aria-invalid={isRefused} />
    </label>
  )
  return (
    <form className={classes.form} noValidate onSubmit={submit}>
      <div className={classes.fields}>
        {!isDay && field('from', t('history.pick.from'))}
        {field('to', isDay ? t('history.pick.date') : t('history.pick.to'))}
        <button type="submit" className={classes.show}>
          {t('history.pick.show')}
        </button>
      </div>
      <FormAlert>{isRefused ? t('history.invalid', { days: HISTORY_MAX_DAYS }) : null}</FormAlert>
    </form>
  )
}

type Props = { id: number; period: Period; today: Day; choose: (period: Period) => void }

export default function Picker({ id, period, today, choose }: Props) {
  const { t } = useTranslation()
  const [kind, setKind] = useState<'day' | 'period'>(period.from === period.to ? 'day' : 'period')
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
      {kind === 'day' && <Calendar id={id} day={period.to} today={today} choose={(day) => choose({ from: day, to: day })} />}
      {kind === 'period' && (
        <button type="button" className={classes.quick} onClick={() => choose({ from: addDays(today, -6), to: today })}>
          {t('history.pick.lastSevenDays')}
        </button>
      )}
      <DateForm key={kind} isDay={kind === 'day'} period={period} today={today} choose={choose} />
    </div>
  )
}
