import { IconAntennaBarsOff, IconMail } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { Device } from '#contracts/trackers/devices.ts'
import { useFeature } from '#web/lib/api/features.ts'
import { lazy } from '#web/lib/chunk.ts'
import { sessionQuery } from '#web/signed-in/user.queries.ts'
import classes from './banners.module.css'

const LaterBanners = lazy(async () => ({ default: (await import('./later-banners.tsx')).LaterBanners }))

/** Notices about the whole account: a failed invoice, an unconfirmed e-mail address, trackers silent for months. */
export function Banners({ devices }: { devices: readonly Device[] }) {
  const { t } = useTranslation()
  const account = useQuery(sessionQuery()).data
  const canActivate = useFeature('networkActivation')
  const silent = devices.filter(({ tracker_config }) => tracker_config.network_state === 'deactivated')
  return (
    <>
      <div className={classes.failed}>
        <Suspense>
          <LaterBanners />
        </Suspense>
      </div>
      {account?.email_confirmed === false && (
        <p className={classes.banner} role="status">
          <IconMail size={18} aria-hidden="true" />
          <Link to="/account_email">{t('home.unconfirmed')}</Link>
        </p>
      )}
      {canActivate && silent.length > 0 && (
        <p className={classes.banner} role="status">
          <IconAntennaBarsOff size={18} aria-hidden="true" />
          <Link to={silent.length === 1 ? `/network_activate?id=${encodeURIComponent(silent[0]!.id)}` : '/network_activate'}>
            {t('home.deactivated', { count: silent.length })}
          </Link>
        </p>
      )}
    </>
  )
}
