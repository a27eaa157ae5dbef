import { Button, Loader } from '@mantine/core'
import { IconCircleCheck, IconClockPause } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import type { HeldSubscription } from '#contracts/billing/subscriptions.ts'
import { parseId } from '#contracts/lib/common.ts'
import { DAY_MS, millis } from '#contracts/rules/time.ts'
import { invoicesQuery, subscriptionsQuery } from '#web/billing/billing.queries.ts'
import { FEW, parseRequestedItems, readReturn } from '#web/billing/cart.ts'
import { InvoicePdfButton } from '#web/billing/invoices/invoice-pdf-button.tsx'
import { formatEndDate } from '#web/billing/subscription.format.ts'
import { useNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { devicesQuery, trackerKeys } from '#web/trackers/trackers.queries.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'

/** The return page of the checkout. A subscription starts when the provider confirms the payment, so the page polls for it. */
export function CheckoutReturn() {
  const { t } = useTranslation()
  const [address] = useSearchParams()
  const params = readReturn(address)
  const bought = parseRequestedItems(params.get('devices')).map(({ device }) => device)
  const canWait = useFeature('currentSubscriptions')
  const { granted, isSlow, again } = useEntitlement(bought, (params.get('before') ?? '').split(',').map(parseId))
  if (bought.length === 0 || !canWait) return <UnknownPurchase />
  if (granted) return <PurchaseConfirmation held={granted} />
  if (!isSlow)
    return (
      <Notice isPage role="status" icon={<Loader size={30} />} title={t('subscriptions.waiting')}>
        {t('subscriptions.waitingLead')}
      </Notice>
    )
  return (
    <Notice
      isPage
      role="alert"
      icon={<IconClockPause size={30} />}
      title={t('subscriptions.slow')}
      action={
        <>
          <Button h={44} onClick={again}>
            {t('subscriptions.checkAgain')}
          </Button>
          <SubscriptionsLink />
        </>
      }
    >
      {t('subscriptions.slowLead')}
    </Notice>
  )
}

/** Without trackers in the URL, or without a list of subscriptions, there is nothing to poll for. */
function UnknownPurchase() {
  const { t } = useTranslation()
  return (
    <Notice isPage role="status" icon={<IconClockPause size={30} />} title={t('title.subscription')} action={<SubscriptionsLink />}>
      {t('subscriptions.slowLead')}
    </Notice>
  )
}

function PurchaseConfirmation({ held }: { held: readonly HeldSubscription[] }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const devices = useQuery(devicesQuery()).data
  const invoice = usePurchaseInvoice()
  const findName = (held: HeldSubscription) => devices?.find(({ id }) => id === held.device)?.name
  const formatEnd = ({ sub_end_date: end, type }: HeldSubscription) =>
    end === null ? t('tracker.noEnd') : formatEndDate(t, formats.date(end), type === 'recurring')
  const [only] = held.length === 1 ? held : []
  return (
    <Notice
      isPage
      role="status"
      icon={<IconCircleCheck size={30} />}
      title={t('subscriptions.done')}
      action={
        <>
          {only ? (
            <Button component={Link} to={`/trackers/${only.device}`} h={44}>
              {t('subscriptions.showTracker', { name: findName(only) ?? t('title.tracker') })}
            </Button>
          ) : (
            <SubscriptionsLink />
          )}
          {invoice && <InvoicePdfButton invoice={invoice}>{t('purchases.invoice')}</InvoicePdfButton>}
        </>
      }
    >
      {invoice && invoice.balance === 0 && (
        <span style={{ display: 'block' }}>
          {t('subscriptions.paid', { amount: formats.price(invoice.amount, invoice.currency), number: invoice.number })}
        </span>
      )}
      {held.length > FEW && (
        <b style={{ display: 'block' }}>{t('subscriptions.several.granted', { number: formats.number(held.length) })}</b>
      )}
      {held.map((each) => (
        <span key={each.id} style={{ display: 'block' }}>
          {findName(each) && <b>{findName(each)}: </b>}
          {formatEnd(each)}
        </span>
      ))}
    </Notice>
  )
}

/** The newest invoice if it is from today; another backend may create it later. */
function usePurchaseInvoice() {
  const now = useNow()
  const [newest] = useQuery({ ...invoicesQuery(), staleTime: 0 }).data ?? []
  return newest && now.getTime() - millis(newest.date) <= DAY_MS ? newest : null
}

function SubscriptionsLink() {
  const { t } = useTranslation()
  return (
    <Button component={Link} to="/subscriptionSelector" variant="default" h={44}>
      {t('nav.plans')}
    </Button>
  )
}

const POLL_INTERVAL_MS = 2000
const MAX_ATTEMPTS = 10

/** Polls until each tracker has a subscription that is not among those held before payment. After ten attempts `isSlow` is set. */
function useEntitlement(bought: readonly number[], before: readonly number[]) {
  const queries = useQueryClient()
  const query = subscriptionsQuery()
  // No suspense: a failed attempt is one of ten, not an error of the page. Reading `isFetching` re-renders after each one, even when the
  // data is unchanged.
  const { data, isFetching } = useQuery({
    ...query,
    staleTime: 0,
    refetchInterval: ({ state }) => {
      const attempts = state.dataUpdateCount + state.errorUpdateCount
      return attempts >= MAX_ATTEMPTS || findGranted(state.data, bought, before) ? false : POLL_INTERVAL_MS
    },
  })
  const granted = findGranted(data, bought, before)
  const state = queries.getQueryState(query.queryKey)
  const attempts = (state?.dataUpdateCount ?? 0) + (state?.errorUpdateCount ?? 0)
  const isGranted = granted !== null
  useEffect(() => {
    if (isGranted) void queries.invalidateQueries({ queryKey: trackerKeys.devices })
  }, [isGranted, queries])
  return { granted, isSlow: !isFetching && attempts >= MAX_ATTEMPTS, again: () => void queries.resetQueries({ queryKey: query.queryKey }) }
}

type Held = { id: number; device: number }

function findGranted<T extends Held>(held: readonly T[] | undefined, bought: readonly number[], before: readonly number[]): T[] | null {
  const fresh = held?.filter(({ id, device }) => !before.includes(id) && bought.includes(device))
  return fresh && fresh.length === bought.length ? fresh : null
}
