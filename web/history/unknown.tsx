import { Button } from '@mantine/core'
import { IconMapPinQuestion } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { Notice } from '#web/ui/feedback/notice.tsx'

/** Shown both for a tracker that does not exist and for one of another account, so that nobody can probe for ids. */
export function UnknownTracker() {
  const { t } = useTranslation()
  return (
    <Notice
      role="alert"
      isPage
      icon={<IconMapPinQuestion size={30} />}
      title={t('history.unknown')}
      action={
        <Button component={Link} to="/" size="md">
          {t('action.goHome')}
        </Button>
      }
    />
  )
}
