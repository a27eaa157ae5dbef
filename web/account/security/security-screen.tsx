import { useTranslation } from 'react-i18next'
import { Card } from '#web/account/about-cards.tsx'
import { useFeatures } from '#web/lib/api/features.ts'
import { useHasRight } from '#web/signed-in/use-has-right.ts'
import { Part } from '#web/ui/feedback/part.tsx'
import { Page } from '#web/ui/page.tsx'
import { ApiTokens } from './api-tokens.tsx'
import { MyData } from './my-data.tsx'
import { OpenSessions } from './open-sessions.tsx'
import { RetentionChoice } from './retention-choice.tsx'
import { SecondFactor } from './second-factor-card.tsx'
import { SecurityLog } from './security-log.tsx'

/** What protects the account, a card per subject. */
export default function SecurityScreen() {
  const { t } = useTranslation()
  const has = useFeatures()
  const isOwner = useHasRight('ownTrackers')
  return (
    <Page title={t('title.accountSecurity')} back={{ to: '/account', label: t('title.account') }} isNarrow>
      {has('secondFactor') && (
        <Card title={t('account.factor.title')}>
          <Part>
            <SecondFactor />
          </Part>
        </Card>
      )}
      {has('sessionList') && (
        <Card title={t('security.sessions.title')}>
          <Part>
            <OpenSessions />
          </Part>
        </Card>
      )}
      {has('apiTokens') && isOwner && (
        <Card title={t('security.tokens.title')}>
          <Part>
            <ApiTokens />
          </Part>
        </Card>
      )}
      {has('dataCopy') && (
        <Card title={t('security.data.title')}>
          <Part>
            <MyData />
          </Part>
        </Card>
      )}
      {has('retention') && isOwner && (
        <Card title={t('security.retention.title')}>
          <Part>
            <RetentionChoice />
          </Part>
        </Card>
      )}
      {has('securityLog') && (
        <Card title={t('security.log.title')}>
          <Part>
            <SecurityLog />
          </Part>
        </Card>
      )}
    </Page>
  )
}
