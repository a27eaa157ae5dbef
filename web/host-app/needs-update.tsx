import { IconDeviceMobileUp } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'
import { buildAppLinks } from './app-links.ts'

/** For features that this version of the app does not have. */
export function NeedsUpdate() {
  const { t } = useTranslation()
  const stores = buildAppLinks('track').stores.map(({ label, url }, nth) => (
    <LinkButton key={url} href={url} isMain={nth === 0}>
      {label}
    </LinkButton>
  ))
  return (
    <Notice isPage icon={<IconDeviceMobileUp size={30} />} title={t('title.appNeedsUpdate')} action={stores}>
      {t('handOff.update')}
    </Notice>
  )
}
