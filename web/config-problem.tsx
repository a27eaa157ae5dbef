import { IconSettingsExclamation } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { ConfigFault } from '#web/lib/config.ts'
import { Notice, NoticeButton } from '#web/ui/notice.tsx'

/** The one page a portal with an unusable configuration has: which field, and why. */
export function ConfigProblem({ faults }: { faults: ConfigFault[] }) {
  const { t } = useTranslation()
  return (
    <main style={{ height: '100%' }}>
      <title>{t('config.heading')}</title>
      <Notice
        isPage
        role="alert"
        icon={<IconSettingsExclamation size={30} />}
        title={t('config.heading')}
        action={<NoticeButton onClick={() => location.reload()}>{t('action.reload')}</NoticeButton>}
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
