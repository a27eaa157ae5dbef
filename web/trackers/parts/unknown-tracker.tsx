import { IconMapPinQuestion } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { NotFoundNotice } from '#web/ui/feedback/not-found-notice.tsx'

/**
 * Shown for unknown trackers and for those of other accounts, with the same text, so that nobody can probe for
 * ids.
 */
export function UnknownTracker({ isPage = true, hasLink = true }: { isPage?: boolean; hasLink?: boolean }) {
  const { t } = useTranslation()
  return (
    <NotFoundNotice
      isPage={isPage}
      icon={<IconMapPinQuestion size={30} />}
      title={t('home.unknown')}
      link={hasLink ? { to: '/trackers', label: t('home.allTrackers') } : undefined}
    >
      {t('home.unknownLead')}
    </NotFoundNotice>
  )
}
