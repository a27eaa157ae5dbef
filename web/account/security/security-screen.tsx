import { Button } from '@mantine/core'
import { useQueryClient, useSuspenseInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RETENTION_DAYS } from '#contracts/accounts/retention.ts'
import type { SecurityEntry } from '#contracts/accounts/security.ts'
import { SECURITY_KINDS } from '#contracts/lib/security-kinds.ts'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { Card } from '#web/account/about-cards.tsx'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { useFeatures } from '#web/lib/other-backends/features.ts'
import { useRecentSignIn } from '#web/signed-in/recent-sign-in/use-recent-sign-in.tsx'
import { retentionApi, retentionQuery } from '#web/signed-in/retention.queries.ts'
import { useHasRight } from '#web/signed-in/user.queries.ts'
import { Part } from '#web/ui/feedback/part.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { Page } from '#web/ui/page.tsx'
import { ApiTokens } from './api-tokens.tsx'
import { MyData } from './my-data.tsx'
import { OpenSessions } from './open-sessions.tsx'
import { SecondFactor } from './second-factor-card.tsx'
import classes from './security.module.css'
import { securityLogQuery } from './security.queries.ts'

/** The protection of the account, a card per subject. */
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

type Days = (typeof RETENTION_DAYS)[number] | null

/** How long positions of the account are stored. */
function RetentionChoice() {
  const { t } = useTranslation()
  const formats = useFormats()
  const queries = useQueryClient()
  const { confirmed, dialog } = useRecentSignIn()
  const { data } = useSuspenseQuery(retentionQuery())
  const [asked, setAsked] = useState<Days | undefined>(undefined)
  const save = async (days: Days) => {
    const saved = await confirmed((options) => retentionApi.change({ body: { days } }, options))
    queries.setQueryData(retentionQuery().queryKey, saved)
  }
  const name = (days: number | null) => (days === null ? t('security.retention.always') : t('security.retention.days', { count: days }))
  const choices = [null, ...RETENTION_DAYS]
  const shown = choices.some((days) => days === data.days) ? choices : [...choices, data.days]
  return (
    <>
      <SelectField
        label={t('security.retention.label')}
        description={
          data.next_removal ? t('security.retention.next', { time: formats.dateTime(data.next_removal) }) : t('security.retention.lead')
        }
        value={String(data.days)}
        onChange={({ target }) => setAsked(target.value === 'null' ? null : (Number(target.value) as Days))}
        data={shown.map((days) => ({ value: String(days), label: name(days) }))}
        className={classes.choice ?? ''}
      />
      {asked !== undefined && (
        <ConfirmDialog
          title={t('security.retention.label')}
          action={t('action.save')}
          isDanger={asked !== null}
          onConfirm={() => save(asked)}
          onClose={() => setAsked(undefined)}
        >
          {asked === null ? t('security.retention.askAlways') : t('security.retention.ask', { period: name(asked) })}
        </ConfirmDialog>
      )}
      {dialog}
    </>
  )
}

/** Security events of the account, newest first. */
function SecurityLog() {
  const { t } = useTranslation()
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useSuspenseInfiniteQuery(securityLogQuery())
  const entries = data.pages.flatMap((page) => page.entries)
  return (
    <>
      <p className={classes.lead}>{t(entries.length > 0 ? 'security.log.lead' : 'security.log.none')}</p>
      <ul className={classes.rows}>
        {entries.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries have no id and are never inserted or moved
          <LogRow key={index} entry={entry} />
        ))}
      </ul>
      {hasNextPage && (
        <Button variant="default" h={44} className={classes.all ?? ''} loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('security.log.more')}
        </Button>
      )}
    </>
  )
}

/** The part of the portal that a rejected call belongs to, by the start of its path; the longest match first. */
const PARTS = [
  ['/devices/:id/tracker_data', 'title.trackerHistory'],
  ['/devices', 'title.trackers'],
  ['/tracker_alerts', 'title.alerts'],
  ['/tracker_contacts', 'title.contacts'],
  ['/tracker_places', 'title.places'],
  ['/tracker_public_share_links', 'title.publicLinks'],
  ['/tracker_tags', 'title.tags'],
  ['/users/export', 'security.data.title'],
  ['/users/invoices', 'title.invoices'],
  ['/users/orders', 'title.orders'],
  ['/users/payment_', 'title.paymentMethods'],
  ['/users/retention', 'security.retention.title'],
  ['/users/second_factor', 'account.factor.title'],
  ['/users/security_log', 'security.log.title'],
  ['/users/sessions', 'security.sessions.title'],
  ['/users/subscriptions', 'title.subscription'],
  ['/users/team', 'title.administrationUsers'],
  ['/users/tokens', 'security.tokens.title'],
  ['/users', 'title.account'],
] as const

const REFUSED_CALL = /^[A-Z]+ (\/.*)$/

function LogRow({ entry: { at, kind, who, where, about } }: { entry: SecurityEntry }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const path = REFUSED_CALL.exec(about ?? '')?.[1]
  const part = path && PARTS.find(([start]) => path.startsWith(start))?.[1]
  const subject = path === undefined ? about : part && t(part)
  const details = [formats.dateTime(at), where, who && t('security.log.by', { name: who }), path && about].filter(Boolean)
  return (
    <li>
      <div>
        <strong>{t(`security.log.kinds.${pickListed(SECURITY_KINDS, kind, 'other')}`)}</strong>
        {subject && <span>{subject}</span>}
        <small>{details.join(' · ')}</small>
      </div>
    </li>
  )
}
