import { IconMapPinQuestion } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { NotFoundNotice } from '#web/ui/feedback/not-found-notice.tsx'

/** Replaces a screen about a tracker that the user does not have. */
export function UnknownTracker() {
  const { t } = useTranslation()
  return (
    <NotFoundNotice
      icon={<IconMapPinQuestion size={30} />}
      title={t('home.unknown')}
      link={{ to: '/trackers', label: t('home.allTrackers') }}
    >
      {t('home.unknownLead')}
    </NotFoundNotice>
  )
}
