import { Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconChevronDown } from '@tabler/icons-react'
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type AlertRule, alertDryRun, type DryRun as Result, type UnsavedAlert } from '#contracts/alerts.ts'
import type { Place } from '#contracts/places.ts'
import { formatRuleValues } from '#contracts/rules/tracking/rules/rule-values.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'
import { lazy } from '#web/lib/chunk.ts'
import { useFormats, useLocale } from '#web/lib/i18n/use-formats.ts'
import { showToast } from '#web/lib/toasts.ts'
import { useMedia } from '#web/lib/use-media.ts'
import { placesApi, placesQuery } from '#web/places/places.queries.ts'
import disclosure from '#web/ui/disclosure.module.css'
import { SkeletonBlock } from '#web/ui/feedback/skeleton.tsx'
import classes from './dry-run.module.css'

const DryRunMap = lazy(() => import('./dry-run-map.tsx'))

const api = createClient(alertDryRun, clientPorts)

/** `of` identifies the alert and its place. A failed run is null, so that the form stays usable; a request that is not needed any more is aborted. */
const dryRunQuery = (alert: UnsavedAlert, of: string) =>
  queryOptions({
    queryKey: ['alerts', 'dryRun', of],
    queryFn: async ({ signal }) => {
      const tz = Intl.DateTimeFormat().resolvedOptions().timeZone
      try {
        return { of, run: await api.run({ body: { ...alert, tz } }, { signal, staysOnNoAnswer: true }) }
      } catch (error) {
        if (signal.aborted) throw error
        return { of, run: null }
      }
    },
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  })

/** Milliseconds after the last change of the alert until it is tried. */
const PAUSE_MS = 400

/** `onAdvice` takes a proposed border; without it the saved place is changed. `onRule` takes a proposed rule; without it none is proposed. */
type Props = {
  alert: UnsavedAlert
  place: Place | undefined
  onAdvice?: (border: BorderAdvice) => void
  onRule?: (rule: AlertRule) => void
}

/** A better radius, for a way a better width, and for an area a border that is so many metres further out. */
export type BorderAdvice = NonNullable<Result['advice']>

/** Shows what a complete, unsaved alert would have fired in the last days. While it changes one request runs at a time, the last one for its newest state. */
export default function DryRun({ alert, place, onAdvice, onRule }: Props) {
  const { t } = useTranslation()
  const [tries, setTries] = useState(1)
  const newest = JSON.stringify([alert, place?.radius, tries, place?.shape])
  const [settled] = useDebouncedValue(newest, PAUSE_MS)
  const [tried, setTried] = useState(settled)
  const { data } = useQuery(dryRunQuery(JSON.parse(tried)[0], tried))
  if (settled !== tried && data?.of === tried) setTried(settled)
  const isOld = data?.of !== newest
  if (data?.run === null)
    return (
      <div className={classes.run} role="status">
        <p className={classes.note}>{t('alerts.dryRun.failed')}</p>
        <Button variant="default" className={classes.button ?? ''} loading={isOld} onClick={() => setTries(tries + 1)}>
          {t('action.retry')}
        </Button>
      </div>
    )
  if (!data)
    return (
      <div className={classes.run} aria-busy="true">
        <SkeletonBlock width="60%" height={20} />
        <SkeletonBlock width="100%" height={44} />
      </div>
    )
  const { run } = data
  return (
    <div className={classes.run} aria-busy={isOld} data-old={isOld || undefined}>
      <Summary run={run} />
      <Days run={run} />
      {run.total > 0 && <FoldedMap firings={run.firings} place={place} />}
      {run.partial && <p className={classes.note}>{t('alerts.dryRun.partial')}</p>}
      {run.advice && place && !isOld && <Advice advice={run.advice} place={place} onAdvice={onAdvice} />}
      {run.rule_advice && alert.rule && onRule && !isOld && <RuleAdvice advice={run.rule_advice} present={alert.rule} onRule={onRule} />}
    </div>
  )
}

function Summary({ run: { total, nights, days } }: { run: Result }) {
  const { t } = useTranslation()
  return (
    <p className={classes.summary} role="status">
      <small>{t('alerts.dryRun.last', { count: days.length })}</small>
      <b>{total === 0 ? t('alerts.dryRun.none') : t('alerts.dryRun.fired', { count: total })}</b>
      {nights > 0 && (
        <span>
          <i className={classes.dot} data-night aria-hidden="true" />
          {t('alerts.dryRun.nights', { count: nights })}
        </span>
      )}
    </p>
  )
}

/** In windows with little space the map is folded, so that the button that saves the alert stays in view. */
function FoldedMap({ firings, place }: { firings: Result['firings']; place: Place | undefined }) {
  const { t } = useTranslation()
  const isSmall = useMedia('(max-width: 768px), (max-height: 500px)')
  const [isOpen, setOpen] = useState(false)
  const map = (
    <Suspense fallback={<SkeletonBlock width="100%" height={200} />}>
      <DryRunMap firings={firings} place={place} />
    </Suspense>
  )
  if (!isSmall) return map
  return (
    <details className={disclosure.disclosure} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {t('nav.map')}
        <IconChevronDown size={18} aria-hidden="true" />
      </summary>
      {isOpen && map}
    </details>
  )
}

/** The dots that one day has room for. */
const DOTS = [1, 2, 3, 4, 5] as const

/** One column for each day, with a dot for each firing; those of the night are dark. */
function Days({ run: { days, total } }: { run: Result }) {
  const formats = useFormats()
  const { t } = useTranslation()
  const nameOf = (day: string) => formats.shortDay(`${day}T12:00:00`)
  const fired = days.filter((day) => day.total > 0).map((day) => `${nameOf(day.day)}: ${day.total}`)
  const [first, last] = [days[0], days.at(-1)]
  return (
    <div className={classes.days}>
      <div className={classes.bar} role="img" aria-label={total === 0 ? t('alerts.dryRun.none') : fired.join(', ')}>
        {days.map(({ day, total: count, nights }) => (
          <span key={day}>
            {DOTS.slice(0, count).map((dot) => (
              <i
                key={dot}
                className={classes.dot}
                data-night={dot <= Math.ceil((nights / count) * Math.min(DOTS.length, count)) || undefined}
              />
            ))}
          </span>
        ))}
      </div>
      {first && last && (
        <p className={classes.ends} aria-hidden="true">
          <span>{nameOf(first.day)}</span>
          <span>{nameOf(last.day)}</span>
        </p>
      )}
    </div>
  )
}

type AdviceProps = { advice: BorderAdvice; place: Place; onAdvice: Props['onAdvice'] }

/** Proposes the border of the place that leaves the true firings, and changes the place to it. */
function Advice({ advice, place, onAdvice }: AdviceProps) {
  const { t } = useTranslation()
  const formats = useFormats()
  const queries = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const { width, margin = 0, shape, total: count } = advice
  const distance = formats.distance(shape ? Math.abs(margin) : (width ?? advice.radius))
  const [text, action] = shape
    ? margin > 0
      ? [t('alerts.dryRun.adviceOut', { count, distance }), t('alerts.dryRun.applyOut', { place: place.name, distance })]
      : [t('alerts.dryRun.adviceIn', { count, distance }), t('alerts.dryRun.applyIn', { place: place.name, distance })]
    : [
        width ? t('alerts.dryRun.adviceWidth', { count, width: distance }) : t('alerts.dryRun.advice', { count, radius: distance }),
        t('alerts.dryRun.apply', { place: place.name, radius: distance }),
      ]
  const apply = async () => {
    if (onAdvice) return onAdvice(advice)
    setBusy(true)
    try {
      const sized = place.shape?.type === 'corridor' && width ? { ...place.shape, width } : shape
      const saved = await placesApi.update({ params: { id: place.id }, body: sized ? { shape: sized } : { radius: advice.radius } })
      queries.setQueryData(placesQuery().queryKey, (all) => all?.map((one) => (one.id === saved.id ? saved : one)))
      showToast(t('form.saved'))
    } catch {
      showToast(t('error.load'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className={classes.advice}>
      <p>
        {text}
        {!onAdvice && <small>{t('alerts.dryRun.applyHint')}</small>}
      </p>
      <Button variant="default" className={classes.button ?? ''} loading={isBusy} onClick={() => void apply()}>
        {action}
      </Button>
    </div>
  )
}

type RuleAdviceProps = { advice: NonNullable<Result['rule_advice']>; present: AlertRule; onRule: (rule: AlertRule) => void }

/** Proposes a rule with a longer time or another distance, and changes the unsaved alert to it. */
function RuleAdvice({ advice: { rule, total }, present, onRule }: RuleAdviceProps) {
  const { t } = useTranslation()
  const locale = useLocale()
  const { speed, setDistance: distance } = useFormats()
  const format = (of: AlertRule) => {
    const { minutes, seconds, meters, by } = formatRuleValues(of, locale, { speed, distance })
    return minutes ?? seconds ?? meters ?? by ?? ''
  }
  return (
    <div className={classes.advice}>
      <p>{t('alerts.dryRun.adviceRule', { count: total, value: format(rule), now: format(present) })}</p>
      <Button variant="default" className={classes.button ?? ''} onClick={() => onRule(rule)}>
        {t('alerts.dryRun.applyRule', { value: format(rule) })}
      </Button>
    </div>
  )
}
