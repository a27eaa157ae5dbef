import { IconChevronRight, IconClipboardText } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { Device } from '#contracts/devices.ts'
import classes from '#web/phones/connect-phone.module.css'

export function TheftLink({ device: { id } }: { device: Device }) {
  const { t } = useTranslation()
  return (
    <Link to={`/app/theft_file?id=${id}`} className={classes.row}>
      <IconClipboardText size={18} aria-hidden="true" />
      <span>{t('title.appTheftFile')}</span>
      <IconChevronRight size={16} aria-hidden="true" />
    </Link>
  )
}
