import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { queryOptions, useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MAX_SPANS, quietHours, type QuietHours as Saved } from '#contracts/accounts/quiet-hours.ts'
import { dailySpan, isDaily, leavesTime } from '#contracts/rules/tracking/rules/quiet-hours.ts'
import { formatSchedule, listDays } from '#web/alerts/rules/week.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'
import { useFormats, useLocale } from '#web/lib/i18n/use-formats.ts'
import { showToast } from '#web/lib/toasts.ts'
import { CheckboxField } from '#web/ui/form/checkbox-field.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import classes from './quiet-hours.module.css'

const quietHoursApi = createClient(quietHours, clientPorts)

const quietHoursQuery = () => queryOptions({ queryKey: ['quietHours'], queryFn: ({ signal }) => quietHoursApi.read({}, { signal }) })

type Span = NonNullable<Saved['spans']>[number]

const NIGHT = dailySpan({ from: '22:00', to: '07:00' })
const WEEKEND: Span = { days: [6, 7], from: '07:00', to: '09:00' }
const HALF_HOURS = Array.from({ length: 48 }, (_, n) => `${String(Math.floor(n / 2)).padStart(2, '0')}:${n % 2 ? '30' : '00'}`)

/** Hours in which alerts are held back: weekly spans, or one daily period if the backend knows no spans. */
export function QuietHours({ zone }: { zone: string | null }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { quiet, spans, waiting } = useSuspenseQuery(quietHoursQuery()).data
  const { queryKey } = quietHoursQuery()
  const [isEndless, setEndless] = useState(false)
  const hasSpans = spans !== undefined
  const save = useMutation({
    // One after the other, so that the last one wins on a connection that delays some.
    scope: { id: 'quietHours' },
    mutationFn: (change: Span[]) => quietHoursApi.change({ body: hasSpans ? { spans: change } : { quiet: periodOf(change[0]) } }),
    onSuccess: (saved) => {
      queries.setQueryData(queryKey, saved)
      showToast(t('form.saved'))
    },
  })
  const shown = save.isPending ? save.variables : (spans ?? (quiet ? [dailySpan(quiet)] : []))
  const set = (change: Span[]) => {
    const isFree = leavesTime(change)
    setEndless(!isFree)
    if (isFree) save.mutate(change)
  }
  const format = useSpanFormat()
  return (
    <>
      <FormAlert>{save.isError ? t('error.general') : isEndless ? t('account.quiet.endless') : null}</FormAlert>
      <CheckboxField
        checked={shown.length > 0}
        onChange={({ target }) => set(target.checked ? [NIGHT] : [])}
        hint={t('account.quiet.hint')}
      >
        {t('account.quiet.label')}
      </CheckboxField>
      {shown.length > 0 && (
        <div className={classes.spans}>
          {shown.map((span, nth) => (
            <SpanFields
              // biome-ignore lint/suspicious/noArrayIndexKey: Two spans may be equal, and they have no ids.
              key={nth}
              span={span}
              hasDays={hasSpans}
              onChange={(change) => set(shown.with(nth, change))}
              onRemove={shown.length > 1 ? () => set(shown.toSpliced(nth, 1)) : undefined}
            />
          ))}
          {hasSpans && shown.length < MAX_SPANS && (
            <Button variant="default" h={44} className={classes.add ?? ''} onClick={() => set([...shown, WEEKEND])}>
              {t('account.quiet.add')}
            </Button>
          )}
          {hasSpans && <p>{t('account.quiet.result', { spans: shown.map(format).join('; ') })}</p>}
          <small>
            {t('account.quiet.zone', { zone: (zone ?? 'UTC').replaceAll('_', ' ') })}
            {waiting > 0 && ` · ${t('account.quiet.waiting', { count: waiting })}`}
          </small>
        </div>
      )}
    </>
  )
}

const periodOf = (span: Span | undefined) => (span ? { from: span.from, to: span.to } : null)

/** "every day, 22:00–07:00" or "Sat and Sun, 07:00–09:00". */
function useSpanFormat() {
  const { t } = useTranslation()
  const locale = useLocale()
  return (span: Span) => {
    const words = formatSchedule(span, locale)
    return isDaily(span) ? t('account.quiet.daily', { times: words }) : words
  }
}

type SpanProps = { span: Span; hasDays: boolean; onChange: (span: Span) => void; onRemove: (() => void) | undefined }

function SpanFields({ span, hasDays, onChange, onRemove }: SpanProps) {
  const { t } = useTranslation()
  const formats = useFormats()
  const format = useSpanFormat()
  const { days, from, to } = span
  // On every day equal times would leave none in which alerts come; on some days they are 24 hours.
  const offer = (own: string, other: string) =>
    [...new Set([...HALF_HOURS, own])]
      .filter((time) => time !== other || !isDaily(span) || time === own)
      .toSorted()
      .map((time) => ({ value: time, label: formats.time(new Date(`2026-01-15T${time}`)) }))
  return (
    <fieldset className={classes.span} aria-label={format(span)}>
      {hasDays && <DayToggles days={days} onChange={(chosen) => onChange({ ...span, days: chosen })} />}
      <div className={classes.times}>
        <SelectField
          label={t('account.quiet.from')}
          value={from}
          onChange={({ target }) => onChange({ ...span, from: target.value })}
          data={offer(from, to)}
        />
        <SelectField
          label={t('account.quiet.to')}
          value={to}
          onChange={({ target }) => onChange({ ...span, to: target.value })}
          data={offer(to, from)}
        />
        {onRemove && <IconButton label={t('action.delete')} of={format(span)} Icon={IconTrash} onClick={onRemove} />}
      </div>
    </fieldset>
  )
}

function DayToggles({ days, onChange }: { days: readonly number[]; onChange: (days: number[]) => void }) {
  const locale = useLocale()
  const names = listDays(locale)
  const short = listDays(locale, 'short')
  return (
    <div className={classes.days}>
      {names.map((name, nth) => {
        const day = nth + 1
        const isOn = days.includes(day)
        return (
          <label key={name}>
            <input
              type="checkbox"
              aria-label={name}
              checked={isOn}
              // A span needs a day.
              disabled={isOn && days.length === 1}
              onChange={() => onChange(isOn ? days.filter((one) => one !== day) : [...days, day].toSorted())}
            />
            <span aria-hidden="true">{short[nth]}</span>
          </label>
        )
      })}
    </div>
  )
}
