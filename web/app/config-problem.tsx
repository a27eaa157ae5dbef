import { IconSettingsExclamation } from '@tabler/icons-react'
import { Suspense, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { lazy } from '#web/lib/chunk.ts'
import type { ConfigFault } from '#web/lib/config.ts'
import { loadWords } from '#web/lib/i18n/i18n.ts'
import { Notice, NoticeButton } from '#web/ui/feedback/notice.tsx'

const Offline = lazy(async () => {
  const [{ Offline }] = await Promise.all([import('#web/ui/feedback/offline.tsx'), loadWords(['inside'])])
  return { default: Offline }
})

/** The only page without a usable configuration: lists each bad field with its reason, or says that the file could not be read. */
export function ConfigProblem({ faults }: { faults: ConfigFault[] }) {
  return faults.length === 0 && !navigator.onLine ? <Unconnected /> : <Unusable faults={faults} />
}

const reload = () => location.reload()

function Unconnected() {
  useEffect(() => {
    window.addEventListener('online', reload)
    return () => window.removeEventListener('online', reload)
  }, [])
  return (
    <main style={{ height: '100%' }}>
      <Suspense>
        <Offline retry={reload} />
      </Suspense>
    </main>
  )
}

function Unusable({ faults }: { faults: ConfigFault[] }) {
  const { t } = useTranslation()
  return (
    <main style={{ height: '100%' }}>
      <title>{t('config.heading')}</title>
      <Notice
        isPage
        role="alert"
        icon={<IconSettingsExclamation size={30} />}
        title={t('config.heading')}
        action={<NoticeButton onClick={reload}>{t('action.reload')}</NoticeButton>}
      >
        {t('config.lead')}
        {faults.length === 0 && <> {t('config.unreadable')}</>}
        {faults.map(({ field, reason }) => (
          <span key={field} style={{ display: 'block' }}>
            <code>{field}</code> {t(`config.${reason}`)}
          </span>
        ))}
      </Notice>
    </main>
  )
}
