import { Button } from '@mantine/core'
import { IconMailFast } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { meQuery } from '#web/signed-in/account.queries.ts'
import { Notice } from '#web/ui/notice.tsx'
import { Page } from '#web/ui/page.tsx'
import classes from './account.module.css'
import { EmailForm } from './email-form.tsx'

/** Changes the e-mail address; it takes effect when the mailed link is opened. */
export default function EmailScreen() {
  const { t } = useTranslation()
  const { email } = useSuspenseQuery(meQuery()).data
  const [sentTo, setSentTo] = useState<string | null>(null)
  const back = (
    <Button component={Link} to="/account" variant="default" h={44}>
      {t('title.account')}
    </Button>
  )
  return (
    <Page title={t('title.accountEmailUpdate')} back={{ to: '/account', label: t('title.account') }} isNarrow>
      <div className={classes.card}>
        {sentTo === null ? (
          <EmailForm email={email} onSent={setSentTo} />
        ) : (
          <Notice role="status" icon={<IconMailFast size={30} />} title={t('reset.sentHeading')} action={back}>
            {t('account.changeEmail.sent', { email: sentTo })}
          </Notice>
        )}
      </div>
    </Page>
  )
}
