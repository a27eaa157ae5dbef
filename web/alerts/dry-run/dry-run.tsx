import { Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { alertDryRun, type DryRun as Result, type UnsavedAlert } from '#contracts/alerts.ts'
import type { Place } from '#contracts/places.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { showToast } from '#web/lib/toasts.ts'
import { placesApi, placesQuery } from '#web/places/places.queries.ts'
import { SkeletonBlock } from '#web/ui/feedback/skeleton.tsx'
import classes from './dry-run.module.css'

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

type Props = { alert: UnsavedAlert; place: Place | undefined }

/** Shows what a complete, unsaved alert would have fired in the last days. */
export default function DryRun({ alert, place }: Props) {
  const { t } = useTranslation()
  const [tries, setTries] = useState(1)
  const newest = JSON.stringify([alert, place?.radius, tries])
  const [settled] = useDebouncedValue(newest, PAUSE_MS)
  const { data } = useQuery(dryRunQuery(JSON.parse(settled)[0], settled))
  const isOld = data?.of !== newest
  if (data?.run === null)
    return (
      <div className={classes.run} role="status">
        <p className={classes.note}>{t('alerts.dryRun.failed')}</p>
        <Button variant="default" h={44} className={classes.button ?? ''} loading={isOld} onClick={() => setTries(tries + 1)}>
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
      {run.partial && <p className={classes.note}>{t('alerts.dryRun.partial')}</p>}
      {run.advice && place && !isOld && <Advice advice={run.advice} place={place} />}
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

type AdviceProps = { advice: NonNullable<Result['advice']>; place: Place }

/** Proposes the radius that leaves the true firings, and changes the place to it. */
function Advice({ advice, place }: AdviceProps) {
  const { t } = useTranslation()
  const formats = useFormats()
  const queries = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const radius = formats.distance(advice.radius)
  const apply = async () => {
    setBusy(true)
    try {
      const saved = await placesApi.update({ params: { id: place.id }, body: { radius: advice.radius } })
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
        {t('alerts.dryRun.advice', { count: advice.total, radius })}
        <small>{t('alerts.dryRun.applyHint')}</small>
      </p>
      <Button variant="default" h={44} className={classes.button ?? ''} loading={isBusy} onClick={() => void apply()}>
        {t('alerts.dryRun.apply', { place: place.name, radius })}
      </Button>
    </div>
  )
}
