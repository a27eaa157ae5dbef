import { Button } from '@mantine/core'
import { IconShieldCheck } from '@tabler/icons-react'
import { infiniteQueryOptions, useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { CARE_REASONS, CARE_STATUSES, type CareStatus } from '#contracts/billing/care-claims.ts'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { CLAIM_SORTS, type ClaimSort, type OperatorClaim } from '#contracts/operator/claims.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { useAddress } from '#web/lib/navigation/use-address.ts'
import { Small } from '#web/operator/customers/customer-tables.tsx'
import { claimsApi } from '#web/operator/session/operator.api.ts'
import { useSorting } from '#web/operator/workbench/sorting.ts'
import { WorkTable } from '#web/operator/workbench/work-table.tsx'
import { Pills, SearchForm } from '#web/operator/workbench/workbench.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Empty } from '#web/ui/feedback/notice.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { Page } from '#web/ui/page.tsx'
import classes from './claims.module.css'

const FILTERS = ['all', ...CARE_STATUSES] as const
type ClaimFilter = { status?: CareStatus; search?: string }

/** Owners claim and pay at any time, so the list is read again whenever it is opened. */
const claimsQuery = (filter: ClaimFilter & { sort: ClaimSort }) =>
  infiniteQueryOptions({
    queryKey: ['operator claims', filter],
    queryFn: ({ pageParam, signal }) => claimsApi.list({ query: { ...filter, ...(pageParam && { before: pageParam }) } }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
  })

/** Replacements that care plans pay for in part: what owners claim, and where it is sent. */
export default function ClaimsScreen() {
  const { t } = useTranslation()
  const [address, change] = useAddress()
  const status = pickListed(CARE_STATUSES, address.get('status') ?? '', undefined)
  const search = address.get('search') ?? ''
  const filter = { ...(status && { status }), ...(search && { search }) }
  return (
    <Page title={t('operator.screens.claims')} lead={t('operator.claims.lead')}>
      <SearchForm label={t('operator.claims.search')} value={search} onFind={(text) => change({ search: text })} />
      <Pills
        label={t('operator.customer.state')}
        values={FILTERS}
        value={status ?? 'all'}
        wordOf={(each) => t(`operator.claims.states.${each}`)}
        onChange={(each) => change({ status: each === 'all' ? '' : each })}
      />
      <Part key={JSON.stringify(filter)}>
        <Claims filter={filter} />
      </Part>
    </Page>
  )
}

function Claims({ filter }: { filter: ClaimFilter }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const { shown, ...sorting } = useSorting(CLAIM_SORTS, '-date')
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useSuspenseInfiniteQuery(claimsQuery({ ...filter, sort: shown }))
  const claims = data.pages.flatMap((page) => page.claims)
  if (claims.length === 0) return <Empty icon={<IconShieldCheck size={30} />} title={t('operator.claims.none')} />
  return (
    <>
      <WorkTable<OperatorClaim>
        name="claims"
        label={t('operator.screens.claims')}
        rows={claims}
        keyOf={({ id }) => id}
        sorting={sorting}
        columns={[
          {
            head: t('operator.orders.customer'),
            cell: ({ customer: { account, name, email } }) => (
              <span>
                <Link to={`/operator/customers/${account}`}>{name || email}</Link>
                <Small>{email}</Small>
              </span>
            ),
          },
          { id: 'tracker', head: t('operator.customer.tracker'), cell: ({ tracker }) => tracker },
          { id: 'date', sort: 'date', head: t('operator.customer.date'), cell: ({ created_at }) => formats.date(created_at) },
          { id: 'reason', head: t('operator.claims.reason'), cell: (claim) => <Reason claim={claim} /> },
          {
            id: 'delivery',
            head: t('operator.orders.address'),
            cell: ({ delivery }) => <span className={classes.lines}>{delivery}</span>,
          },
          { id: 'state', head: t('operator.customer.state'), cell: ({ status }) => <State status={status} /> },
          {
            id: 'order',
            head: t('operator.customer.order'),
            cell: ({ order }) => order && <Link to={`/operator/orders?${new URLSearchParams({ order })}`}>{order}</Link>,
          },
        ]}
      />
      {hasNextPage && (
        <Button variant="default" h={44} mt={16} loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('operator.log.more')}
        </Button>
      )}
    </>
  )
}

function Reason({ claim: { reason, description } }: { claim: OperatorClaim }) {
  const { t } = useTranslation()
  const known = pickListed(CARE_REASONS, reason, null)
  return (
    <span>
      {known ? t(`operator.claims.reasons.${known}`) : reason}
      <Small>{description}</Small>
    </span>
  )
}

const TONES = { open: 'warn', ordered: 'good', withdrawn: 'plain' } as const

/** An unknown state is shown as is. */
function State({ status }: { status: string }) {
  const { t } = useTranslation()
  const known: CareStatus | null = pickListed(CARE_STATUSES, status, null)
  return known ? <Badge tone={TONES[known]}>{t(`operator.claims.states.${known}`)}</Badge> : <Badge>{status}</Badge>
}
