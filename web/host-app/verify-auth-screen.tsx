import { IconUserCheck } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { sessions } from '#contracts/accounts/sessions.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'
import { storage } from '#web/lib/storage.ts'
import { Notice } from '#web/ui/feedback/notice.tsx'

/** A client of this endpoint only, so that the hand-off pages stay small. */
const sessionApi = createClient({ who: sessions.who }, clientPorts)

export default function VerifyAuthScreen() {
  const { t } = useTranslation()
  const { data } = useSuspenseQuery({
    queryKey: ['verifyAuth'],
    queryFn: async ({ signal }) => {
      const { username } = await sessionApi.who({}, { signal })
      storage.set('verifyNative', 'true')
      return username
    },
    gcTime: 0,
  })
  return (
    <Notice isPage role="status" icon={<IconUserCheck size={30} />} title={t('title.verifyAuth')}>
      {t('nav.signedInAs', { name: data })}
    </Notice>
  )
}
