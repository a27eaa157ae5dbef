import { IconCloudOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Notice, NoticeButton } from './notice.tsx'

/** Shown when there is no connection and nothing cached. */
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
