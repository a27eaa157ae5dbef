import { IconCloudOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Notice, NoticeButton } from './notice.tsx'

/** The page of a portal that has no connection and nothing to show from before. */
export function Offline({ retry }: { retry: () => void }) {
  const { t } = useTranslation()
  return (
    <Notice
      role="alert"
      isPage
      icon={<IconCloudOff size={30} />}
      title={t('offline.heading')}
      action={<NoticeButton onClick={retry}>{t('action.retry')}</NoticeButton>}
    >
      {t('offline.lead')}
    </Notice>
  )
}
