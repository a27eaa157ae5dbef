import { Button } from '@mantine/core'
import { IconMapPinQuestion } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { Notice } from '#web/ui/notice.tsx'

/** No tracker of this account: nobody learns whether there is one (D-25). */
export function Unknown() {
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
