import { Button } from '@mantine/core'
import { IconInbox } from '@tabler/icons-react'
import { useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { REQUEST_STATUSES, type RequestStatus } from '#contracts/operator/requests.ts'
import { Pills } from '#web/operator/workbench/workbench.tsx'
import { Empty } from '#web/ui/feedback/notice.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { Page } from '#web/ui/page.tsx'
import { RequestCard } from './request-card.tsx'
import classes from './requests.module.css'
import { requestsQuery } from './requests.queries.ts'

/** What owners ask for, by state. */
export default function RequestsScreen() {
  const { t } = useTranslation()
  const [address, setAddress] = useSearchParams()
  const status = pickListed(REQUEST_STATUSES, address.get('status') ?? '', 'pending')
  return (
    <Page title={t('operator.screens.requests')} lead={t('operator.requests.lead')}>
      <Pills
        label={t('operator.customer.state')}
        values={REQUEST_STATUSES}
        value={status}
        wordOf={(each) => t(`operator.requests.states.${each}`)}
        onChange={(each) => setAddress(each === 'pending' ? {} : { status: each }, { replace: true })}
      />
      <Part key={status}>
        <Requests status={status} />
      </Part>
    </Page>
  )
}

function Requests({ status }: { status: RequestStatus }) {
  const { t } = useTranslation()
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useSuspenseInfiniteQuery(requestsQuery(status))
  const requests = data.pages.flatMap((page) => page.requests)
  if (requests.length === 0) return <Empty icon={<IconInbox size={30} />} title={t('operator.requests.none')} />
  return (
    <>
      <ul className={classes.list} aria-label={t('operator.screens.requests')}>
        {requests.map((request) => (
          <li key={request.reference}>
            <RequestCard request={request} />
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button variant="default" h={44} mt={16} loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('operator.log.more')}
        </Button>
      )}
    </>
  )
}
