import { IconLinkOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Notice } from '#web/ui/notice.tsx'

/** Shows the same sentence for every invalid link, so that it reveals nothing about any of them. */
export function InvalidLink() {
  const { t } = useTranslation()
  return <Notice role="alert" isPage icon={<IconLinkOff size={30} />} title={t('shared.invalid')} />
}
