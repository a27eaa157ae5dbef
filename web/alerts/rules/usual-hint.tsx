import { useSuspenseQueries } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { Device } from '#contracts/trackers/devices.ts'
import type { Normal } from '#contracts/trackers/normal.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { midnight } from '#web/lib/period.ts'
import { usualQuery } from '#web/trackers/usual/usual.queries.ts'
import classes from './usual-hint.module.css'

/** More lines would hide the form. */
const MOST = 5

/** What is known of the chosen trackers, for an alert that fires when one of them is not where it usually is. */
export default function UsualHint({ devices: all }: { devices: readonly Device[] }) {
  const { t } = useTranslation()
  const words = useWords()
  const devices = all.slice(0, MOST)
  const found = useSuspenseQueries({ queries: devices.map(({ id }) => usualQuery(id)) })
  return (
    <ul className={classes.hint}>
      {devices.map((device, index) => {
        const usual = found[index]?.data
        return (
          usual && (
            <li key={device.id}>
              {words(device, usual)} <Link to={`/trackers/${encodeURIComponent(device.id)}/months?view=usual`}>{t('normal.more')}</Link>
            </li>
          )
        )
      })}
    </ul>
  )
}

function useWords() {
  const { t } = useTranslation()
  const formats = useFormats()
  return ({ name: tracker }: Device, { enabled, ready_from, learnt_at, places, ways }: Normal) => {
    const say = (what: string) => t('normal.forTracker', { tracker, what })
    if (ready_from !== null) return say(t('normal.readyFrom', { date: formats.day(midnight(ready_from)) }))
    if (!enabled) return t('normal.onSave', { tracker })
    if (learnt_at === null) return say(t('normal.learning'))
    const counts = { places: t('normal.places', { count: places.length }), ways: t('normal.ways', { count: ways.length }) }
    return say(t('normal.known', counts))
  }
}
