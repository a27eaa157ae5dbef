import { Button } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { Notice } from '#web/ui/feedback/notice.tsx'
import classes from './conflict.module.css'

/** Shown when no attempt is left; only support can unlock the tracker. */
export default function FailScreen() {
  const { t } = useTranslation()
  return (
    <Notice
      role="alert"
      isPage
      icon={<IconLock size={30} />}
      title={t('add.conflict.failed')}
      action={
        <Button component={Link} to="/contact_us" size="md">
          {t('add.conflict.contact')}
        </Button>
      }
    >
      <strong>{t('add.conflict.noAttempt')}</strong>
      <span className={classes.sentence}>{t('add.conflict.locked')}</span>
    </Notice>
  )
}
