import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { addDays, type Day, type Period } from '#web/history/track/period.ts'
import { SegmentedControl } from '#web/ui/form/segmented-control.tsx'
import { Calendar } from './calendar.tsx'
import { DateForm } from './date-form.tsx'
import classes from './picker.module.css'

type Props = { id: number; period: Period; today: Day; choose: (period: Period) => void }

/** Picks a day from the calendar, a typed date, or a typed period. */
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
