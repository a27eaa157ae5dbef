import { useQueries } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Device } from '#contracts/devices.ts'
import type { HistoryPoint } from '#contracts/positions.ts'
import { computeTotals, splitIntoLegs } from '#contracts/rules/tracking/trips.ts'
import { historyQuery } from '#web/history/track/history.queries.ts'
import { type Day, midnight, type Period, weekAround } from '#web/history/track/period.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { toFixes } from '#web/trackers/day.ts'
import { BarList } from '#web/ui/lists/bar-list.tsx'
import { Section } from './section.tsx'

type Props = { device: Device; period: Period; today: Day; show: (period: Period) => void }

/** Activity on each of seven days, loaded only when opened. */
export function WeekBars(props: Props) {
  const { t } = useTranslation()
  return (
    <Section title={t('history.week')}>
      <Days {...props} />
    </Section>
  )
}

/** Null without any positions. */
const dayTotals = (points: HistoryPoint[]) => (points.length > 0 ? computeTotals(splitIntoLegs(toFixes(points))) : null)

/** Each day is queried as its own history, so it is already cached when the user picks it. */
function Days({ device, period, today, show }: Props) {
  const { t } = useTranslation()
  const formats = useFormats()
  const week = weekAround(period.to, today)
  const days = useQueries({
    queries: week.map((day) => ({ ...historyQuery(device.id, { from: day, to: day }, today), select: dayTotals })),
  })
  const most = Math.max(1, ...days.map(({ data }) => data?.movingMs ?? 0))
  const words = ({ data, isError }: (typeof days)[number]) => {
    if (isError) return t('error.load')
    if (data) return `${formats.duration(data.movingMs)} · ${formats.distance(data.meters)}`
    return data === null ? t('history.noData') : '…'
  }
  return (
    <BarList
      label={t('history.week')}
      bars={week.map((day, index) => {
        const known = days[index]
        return {
          key: day,
          label: formats.shortDay(midnight(day)),
          share: (known?.data?.movingMs ?? 0) / most,
          value: known ? words(known) : '',
          isChosen: period.from === day && period.to === day,
          onChoose: () => show({ from: day, to: day }),
        }
      })}
    />
  )
}
