import { IconUserCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { sessions } from '#contracts/accounts/sessions.ts'
import { createClient } from '#web/lib/api/api.ts'
import { clientPorts } from '#web/lib/api/client-ports.ts'
import { storage } from '#web/lib/storage.ts'
import { Failure } from '#web/ui/feedback/failure.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'

/** Only this endpoint, so that the hand-off pages stay small. */
const sessionApi = createClient({ who: sessions.who }, clientPorts)

export default function VerifyAuthScreen() {
  const { t } = useTranslation()
  const { data, isError, refetch } = useQuery({
    queryKey: ['verifyAuth'],
    queryFn: async ({ signal }) => {
      const { username } = await sessionApi.who({}, { signal })
      storage.set('verifyNative', 'true')
      return username
    },
    gcTime: 0,
  })
  if (isError) return <Failure retry={() => void refetch()} />
  if (data === undefined) return <SkeletonRows count={1} />
  return (
    <Notice isPage role="status" icon={<IconUserCheck size={30} />} title={t('title.verifyAuth')}>
      {t('nav.signedInAs', { name: data })}
    </Notice>
  )
}
