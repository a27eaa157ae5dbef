import { IconCloudExclamation } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Notice, NoticeButton } from './notice.tsx'

/** Shown under /error and in place of a screen that crashed. */
export function ServerError({ retry }: { retry: () => void }) {
  const { t } = useTranslation()
  return (
    <Notice
      role="alert"
      isPage
      icon={<IconCloudExclamation size={30} />}
      title={t('error.server')}
      action={<NoticeButton onClick={retry}>{t('action.retry')}</NoticeButton>}
    >
      {t('error.serverLead')}
    </Notice>
  )
}
