import { IconDeviceMobile } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Navigate } from 'react-router-dom'
import { hostApp } from '#web/lib/navigation/host-app.ts'
import { Notice } from '#web/ui/feedback/notice.tsx'

/** The host app replaces this page with its own main screen; a browser is redirected. */
export default function MainScreen() {
  const { t } = useTranslation()
  if (!hostApp.isNative()) return <Navigate to="/" replace />
  return (
    <Notice isPage icon={<IconDeviceMobile size={30} />} title={t('title.main')}>
      {t('handOff.main')}
    </Notice>
  )
}
