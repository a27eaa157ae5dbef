import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Invoice } from '#contracts/billing/invoices.ts'
import { ApiError, wordsOf } from '#web/lib/api/api-error.ts'
import { useNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { showToast } from '#web/lib/toasts.ts'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { Dialog, DialogFoot } from '#web/ui/overlay/dialog.tsx'
import { billingApi, cardsQuery, invoicesQuery } from './billing.queries.ts'
import { describeCard, isCardExpired } from './card.ts'
import classes from './pay-dialog.module.css'
import { goToProvider, useBillingPortal } from './provider-page.ts'

/**
 * Pays an invoice with the default card, which it names. Once that card was refused, or when it has expired, the main button leads to where
 * another card can be used.
 */
export function PayDialog({ invoice, onClose }: { invoice: Invoice; onClose: () => void }) {
  const { t } = useTranslation()
  const now = useNow()
  const amount = useFormats().price(invoice.balance, invoice.currency)
  const card = useQuery(cardsQuery()).data?.find(({ is_default }) => is_default)
  const isExpired = card !== undefined && isCardExpired(card, now)
  const { pay, isPaying, problem, hosted } = usePayment(invoice, onClose)
  const other = useOtherCard(hosted)
  const isHopeless = isExpired || problem?.code === 'payment_failed' || problem?.code === 'no_payment_method'
  const until = (date: string) => t(isExpired ? 'purchases.expiredOn' : 'purchases.validUntil', { date })
  return (
    <Dialog title={t('purchases.payOf', { number: invoice.number })} onClose={onClose}>
      <FormAlert>{problem && payFailure(t, problem)}</FormAlert>
      <FormAlert>{other.failure}</FormAlert>
      <div className={classes.lead}>
        <p>{t(card ? 'purchases.payCard' : 'purchases.payLead', { amount })}</p>
        {card && (
          <p className={classes.card} data-expired={isExpired || undefined}>
            {describeCard(card, until)}
          </p>
        )}
        {hosted !== null && <p>{t('purchases.payThereLead')}</p>}
      </div>
      <DialogFoot>
        <Button variant="default" h={44} onClick={onClose}>
          {t('action.cancel')}
        </Button>
        {isHopeless && problem?.code !== 'no_payment_method' && (
          <Button variant="subtle" h={44} loading={isPaying} onClick={pay}>
            {t('purchases.payAgain')}
          </Button>
        )}
        {isHopeless ? (
          <Button h={44} loading={other.isOpening} onClick={other.open}>
            {t(hosted === null ? 'purchases.changeCard' : 'purchases.payThere')}
          </Button>
        ) : (
          <Button h={44} loading={isPaying} onClick={pay}>
            {t('purchases.payNow', { amount })}
          </Button>
        )}
      </DialogFoot>
    </Dialog>
  )
}

function payFailure(t: TFunction, problem: ApiError) {
  const { code } = problem
  if (code === 'already_paid' || code === 'payment_failed' || code === 'no_payment_method') return t(`purchases.${code}`)
  return t(wordsOf(problem))
}

/** `hosted`: the provider's page of the invoice, for another card or a bank check; null before the card was refused. */
function usePayment({ id, number }: Invoice, onPaid: () => void) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { queryKey } = invoicesQuery()
  const [isPaying, setPaying] = useState(false)
  const [problem, setProblem] = useState<ApiError | null>(null)
  const [hosted, setHosted] = useState<string | null>(null)
  // The second click of a double click comes before the button is disabled.
  const isRunning = useRef(false)
  const pay = async () => {
    if (isRunning.current) return
    isRunning.current = true
    setPaying(true)
    setProblem(null)
    try {
      const paid = await billingApi.invoices.pay({ params: { id }, body: {} })
      queries.setQueryData(queryKey, (invoices) => invoices?.map((each) => (each.id === id ? paid : each)))
      showToast(t('purchases.paid', { number }))
      onPaid()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const { hosted_url } = error.extras
      setHosted(typeof hosted_url === 'string' ? hosted_url : null)
      if (error.code === 'already_paid') void queries.invalidateQueries({ queryKey })
      if (!error.isLeaving) setProblem(error)
    } finally {
      isRunning.current = false
      setPaying(false)
    }
  }
  return { pay: () => void pay(), isPaying, problem, hosted }
}

/** Leads to the provider's page of the invoice, or to its page of the account's cards. */
function useOtherCard(hosted: string | null) {
  const { t } = useTranslation()
  const portal = useBillingPortal()
  const [hasFailed, setFailed] = useState(false)
  const leave = (url: string) => {
    try {
      goToProvider(url)
    } catch {
      setFailed(true)
    }
  }
  return {
    open: () => (hosted === null ? portal.open() : leave(hosted)),
    isOpening: portal.isOpening,
    failure: hasFailed ? t('error.general') : portal.hasFailed ? t(wordsOf(portal.error)) : null,
  }
}
