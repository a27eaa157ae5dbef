import { Button } from '@mantine/core'
import { IconBuilding } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { roleOf } from '#contracts/rules/role.ts'
import { config } from '#web/lib/config.ts'
import { meQuery } from '#web/signed-in/account.queries.ts'
import { Notice } from '#web/ui/notice.tsx'
import { Page } from '#web/ui/page.tsx'
import classes from './account.module.css'
import { EraseForm } from './erase-form.tsx'

/** Deletes the account. Administrators of pro accounts are referred to support instead. */
export default function DeleteScreen() {
  const { t } = useTranslation()
  const { username, role } = useSuspenseQuery(meQuery()).data
  const known = roleOf(role)
  const [isRefused, setRefused] = useState(known === 'admin' || known === 'deepsupport')
  return (
    <Page title={t('title.accountDelete')} back={{ to: '/account', label: t('title.account') }} isNarrow>
      <div className={classes.card}>
        {isRefused ? (
          <Refusal />
        ) : (
          <>
            <p>{t(known === 'pro' ? 'account.erase.leadMember' : 'account.erase.lead')}</p>
            <EraseForm username={username} onRefused={() => setRefused(true)} />
          </>
        )}
      </div>
    </Page>
  )
}

function Refusal() {
  const { t } = useTranslation()
  const { supportEmail } = config()
  const help = supportEmail && (
    <Button component="a" href={`mailto:${supportEmail}`} h={44}>
      {t('account.erase.support')}
    </Button>
  )
  return <Notice role="alert" icon={<IconBuilding size={30} />} title={t('account.erase.pro')} action={help} />
}
