import { IconChevronRight, IconSettings } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { Device } from '#contracts/devices.ts'
import classes from '#web/phones/connect-phone.module.css'

export function SettingsLink({ device: { id } }: { device: Device }) {
  const { t } = useTranslation()
  return (
    <Link to={`/trackers/${id}/settings`} className={classes.row}>
      <IconSettings size={18} aria-hidden="true" />
      <span>{t('title.trackerSettings')}</span>
      <IconChevronRight size={16} aria-hidden="true" />
    </Link>
  )
}
