import { useTranslation } from 'react-i18next'
import type { SharedTracker } from '#contracts/links.ts'
import { isShownPermanent } from '#contracts/rules/link.ts'
import { useNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { KindDisc } from '#web/trackers/parts/kind-icon.tsx'
import { FloatingCard } from '#web/ui/floating-card.tsx'
import { PublicLinkMap } from './public-link-map.tsx'
import classes from './public-link-view.module.css'

export function PublicLinkView({ shared }: { shared: SharedTracker }) {
  const { t } = useTranslation()
  const { name } = shared.tracker
  return (
    <div className={classes.view}>
      <PublicLinkMap shared={shared} />
      <FloatingCard className={classes.card} label={t('title.pubTrackers')}>
        <KindDisc of={shared.tracker} size={48} />
        <div className={classes.words}>
          <h1>{name}</h1>
          <p>{shared.label}</p>
          <Freshness shared={shared} />
          <p>
            <Until shared={shared} />
          </p>
        </div>
      </FloatingCard>
    </div>
  )
}

function Freshness({ shared: { last_position } }: { shared: SharedTracker }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const now = useNow()
  if (!last_position) return <p role="status">{t('shared.noPosition')}</p>
  const { datetime } = last_position
  return (
    <p>
      <time dateTime={datetime} title={formats.dateTime(datetime)} className={classes.fresh}>
        {t('shared.updated', { age: formats.age(datetime, now) })}
      </time>
    </p>
  )
}

/** An end after the year 2100 is shown as permanent. */
function Until({ shared: { permanent, end_date } }: { shared: SharedTracker }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const isPermanent = permanent || end_date === null || isShownPermanent(end_date)
  return isPermanent ? t('shared.permanent') : t('shared.until', { date: formats.dateTime(end_date) })
}
