import { Button } from '@mantine/core'
import { IconCloudOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Notice } from './notice.tsx'

export function Failure({ title, retry }: { title?: string | undefined; retry?: () => void }) {
  const { t } = useTranslation()
  return (
    <Notice
      role="alert"
      icon={<IconCloudOff />}
      title={title ?? t('error.load')}
      action={
        retry && (
          <Button variant="default" onClick={retry}>
            {t('action.retry')}
          </Button>
        )
      }
    />
  )
}
