import { IconRefreshAlert } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '#web/lib/api/api-error.ts'
import { isChunkFailure } from '#web/lib/chunk.ts'
import { log } from '#web/lib/log.ts'
import { Failure } from '#web/ui/feedback/failure.tsx'
import { Notice, NoticeButton } from '#web/ui/feedback/notice.tsx'
import { ServerError } from '#web/ui/feedback/server-error.tsx'

/** Shown in place of a screen whose data failed to load, whose chunk failed to load, or that crashed. */
export function ScreenFailure({ error, retry }: { error: unknown; retry: () => void }) {
  if (error instanceof ApiError) return error.isLeaving ? null : <Failure retry={retry} />
  return isChunkFailure(error) ? <LoadFailed /> : <Crashed error={error} retry={retry} />
}

function Crashed({ error, retry }: { error: unknown; retry: () => void }) {
  if (!(error instanceof Error && error.name === 'AbortError')) log.failure('A screen crashed', error)
  return <ServerError retry={retry} />
}

function LoadFailed() {
  const { t } = useTranslation()
  return (
    <Notice
      role="alert"
      isPage
      icon={<IconRefreshAlert size={30} />}
      title={t('error.chunkHeading')}
      action={<NoticeButton onClick={() => location.reload()}>{t('action.reload')}</NoticeButton>}
    >
      {t('error.chunk')}
    </Notice>
  )
}
