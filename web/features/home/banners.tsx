import { IconAntennaBarsOff, IconMail } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { Device } from '#contracts/devices.ts'
import { accountQuery } from '#web/lib/trackers/queries.ts'
import classes from './banners.module.css'

/** What concerns the account as a whole: an e-mail that is not confirmed, trackers nobody has heard of for months. */
export function Banners({ devices }: { devices: readonly Device[] }) {
  const { t } = useTranslation()
  const account = useQuery(accountQuery()).data
  const silent = devices.filter(({ tracker_config }) => tracker_config.network_state === 'deactivated')
  return (
    <>
      {account?.email_confirmed === false && (
        <p className={classes.banner} role="status">
          <IconMail size={18} aria-hidden="true" />
          <Link to="/account_email">{t('home.unconfirmed')}</Link>
        </p>
      )}
      {silent.length > 0 && (
        <p className={classes.banner} role="status">
          <IconAntennaBarsOff size={18} aria-hidden="true" />
          {t('home.deactivated', { count: silent.length })}
        </p>
      )}
    </>
  )
}
