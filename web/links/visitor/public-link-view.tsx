import { useTranslation } from 'react-i18next'
import type { SharedTracker } from '#contracts/links.ts'
import { isShownPermanent } from '#contracts/rules/link.ts'
import { useNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { KindDisc } from '#web/trackers/parts/kind-icon.tsx'
import { FloatingCard } from '#web/ui/floating-card.tsx'
import { useArrival } from './destination.tsx'
import { PublicLinkMap } from './public-link-map.tsx'
import classes from './public-link-view.module.css'

export function PublicLinkView({ shared }: { shared: SharedTracker }) {
  const { t } = useTranslation()
  const { name } = shared.tracker
  const arrival = useArrival(shared, shared.destination)
  return (
    <div className={classes.view}>
      <PublicLinkMap shared={shared} />
      <FloatingCard className={`${classes.over} ${classes.card}`} label={t('title.pubTrackers')}>
        <KindDisc of={shared.tracker} size={48} />
        <div className={classes.words}>
          <h1>{name}</h1>
          <p>{shared.label}</p>
          <p role={shared.last_position ? undefined : 'status'}>
            <Freshness at={shared.last_position} />
          </p>
          {arrival && <p className={classes.fresh}>{arrival}</p>}
          {shared.destination && <p>{t('shared.destination', { name: shared.destination.name })}</p>}
          <p>
            <Until shared={shared} />
          </p>
        </div>
      </FloatingCard>
    </div>
  )
}

/** The age of the last position, or that there is none. */
export function Freshness({ at }: { at: SharedTracker['last_position'] }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const now = useNow()
  if (!at) return t('shared.noPosition')
  const { datetime } = at
  return (
    <time dateTime={datetime} title={formats.dateTime(datetime)} className={classes.fresh}>
      {t('shared.updated', { age: formats.age(datetime, now) })}
    </time>
  )
}

/** An end after the year 2100 is shown as permanent. */
export function Until({ shared: { permanent, end_date } }: { shared: SharedTracker }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const isPermanent = permanent || end_date === null || isShownPermanent(end_date)
  return isPermanent ? t('shared.permanent') : t('shared.until', { date: formats.dateTime(end_date) })
}
