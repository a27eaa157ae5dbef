import { Button } from '@mantine/core'
import { IconMapQuestion } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { Notice } from '#web/ui/feedback/notice.tsx'

export default function NotFoundScreen() {
  const { t } = useTranslation()
  return (
    <Notice
      isPage
      icon={<IconMapQuestion size={30} />}
      title={t('error.notFoundHeading')}
      action={
        <Button component={Link} to="/" size="md">
          {t('action.goHome')}
        </Button>
      }
    >
      <strong>{t('error.notFound')}</strong>
      {t('error.notFoundLead')}
    </Notice>
  )
}
