import { Button } from '@mantine/core'
import { IconUserCheck } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { sessions } from '#contracts/accounts/sessions.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'
import { hostApp } from '#web/lib/navigation/host-app.ts'
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
    <Notice
      isPage
      role="status"
      icon={<IconUserCheck size={30} />}
      title={t('title.verifyAuth')}
      action={
        !hostApp.isNative() && (
          <Button component={Link} to="/" h={44}>
            {t('action.goHome')}
          </Button>
        )
      }
    >
      {t('nav.signedInAs', { name: data })}
    </Notice>
  )
}
