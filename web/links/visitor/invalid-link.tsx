import { IconLinkOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Notice } from '#web/ui/notice.tsx'

/** One sentence for every link that does not work, so that it tells nothing about any. */
export function InvalidLink() {
  const { t } = useTranslation()
  return <Notice role="alert" isPage icon={<IconLinkOff size={30} />} title={t('shared.invalid')} />
}
