import { IconCurrentLocation, IconPhone, IconRoute } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { SharedTracker } from '#contracts/links.ts'
import type { Position } from '#contracts/trackers/devices.ts'
import { mapsLink } from '#web/finder/maps-link.ts'
import { locateMe, useMyPosition, wayWords } from '#web/finder/my-position.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import classes from './visitor-tools.module.css'

type Props = { shared: Pick<SharedTracker, 'tracker' | 'shared_by' | 'phone'>; at: Position | null }

/** What a visitor can do: go there, see how far it is, call whoever shares it. */
export function VisitorTools({ shared: { tracker, shared_by, phone }, at }: Props) {
  const { t } = useTranslation()
  return (
    <div className={classes.tools}>
      {at && (
        <a className={classes.main} href={mapsLink(at, tracker.name)} target="_blank" rel="noreferrer">
          <IconRoute size={20} aria-hidden="true" />
          {t('finder.route')}
        </a>
      )}
      {at && <HowFar at={at} />}
      {phone && (
        <a href={`tel:${phone.replace(/[^+\d]/g, '')}`}>
          <IconPhone size={18} aria-hidden="true" />
          {shared_by ? t('shared.call', { name: shared_by }) : t('shared.callOwner')}
        </a>
      )}
    </div>
  )
}

function HowFar({ at }: { at: Position }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const { isWanted, fix } = useMyPosition()
  return (
    <button type="button" onClick={locateMe} disabled={isWanted && !fix}>
      <IconCurrentLocation size={18} aria-hidden="true" />
      <span role="status">{fix ? wayWords(t, formats, fix, at) : t(isWanted ? 'finder.locating' : 'finder.distance')}</span>
    </button>
  )
}
