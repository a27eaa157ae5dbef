import { IconCalendar, IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazy } from '#web/lib/chunk.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { type Day, midnight, type Period, shiftPeriod } from '#web/lib/period.ts'
import { SkeletonBlock } from '#web/ui/feedback/skeleton.tsx'
import classes from './day-nav.module.css'

const Picker = lazy(() => import('./picker.tsx'))

/** Shows a period; of a single day perhaps a time, such as `15:00`. */
export type ShowPeriod = (period: Period, clock?: string) => void

type Props = { id: number; period: Period | null; today: Day; show: ShowPeriod; onOpen?: (() => void) | undefined }

export function DayNav({ id, period, today, show, onOpen }: Props) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const shown = period ?? { from: today, to: today }
  const isDay = shown.from === shown.to
  const choose: ShowPeriod = (next, clock) => {
    setOpen(false)
    show(next, clock)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the calendar from anywhere within
    <div className={classes.nav} onKeyDown={({ key }) => key === 'Escape' && setOpen(false)}>
      <div className={classes.row}>
        <button
          type="button"
          className={classes.step}
          aria-label={isDay ? t('history.previousDay') : t('history.previousPeriod')}
          onClick={() => show(shiftPeriod(shown, -1, today))}
        >
          <IconChevronLeft size={18} aria-hidden="true" />
        </button>
        <button
          type="button"
          className={classes.title}
          aria-expanded={isOpen}
          title={t('history.chooseDay')}
          onClick={() => {
            setOpen(!isOpen)
            if (!isOpen) onOpen?.()
          }}
        >
          <PeriodWords period={shown} isUsable={period !== null} today={today} />
          <IconCalendar size={16} aria-hidden="true" />
        </button>
        <button
          type="button"
          className={classes.step}
          aria-label={isDay ? t('history.nextDay') : t('history.nextPeriod')}
          disabled={shown.to >= today}
          onClick={() => show(shiftPeriod(shown, 1, today))}
        >
          <IconChevronRight size={18} aria-hidden="true" />
        </button>
        {(period === null || !isDay || shown.to !== today) && (
          <button type="button" className={classes.today} onClick={() => choose({ from: today, to: today })}>
            {t('history.today')}
          </button>
        )}
      </div>
      {isOpen && (
        <Suspense fallback={<SkeletonBlock height={330} />}>
          <Picker id={id} period={shown} today={today} choose={choose} />
        </Suspense>
      )}
    </div>
  )
}

function PeriodWords({ period: { from, to }, isUsable, today }: { period: Period; isUsable: boolean; today: Day }) {
  const { t } = useTranslation()
  const formats = useFormats()
  if (!isUsable) return <span>{t('history.chooseDay')}</span>
  if (from === to && to === today) return <span>{formats.day(midnight(today))}</span>
  const word = from.slice(0, 4) === today.slice(0, 4) ? formats.shortDay : formats.date
  // Non-breaking spaces, so that a line break falls between the two dates and never inside one.
  const [first, last] = [from, to].map((day) => word(midnight(day)).replaceAll(' ', '\u00a0'))
  return from === to ? <span>{last}</span> : <span data-range>{t('history.range', { from: first, to: last })}</span>
}
