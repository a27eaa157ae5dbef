import { Button } from '@mantine/core'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useSearchParams } from 'react-router-dom'
import {
  CARE_REASONS,
  type CareClaim,
  type CareCover,
  careClaims,
  DELIVERY_MAX_LENGTH,
  NewCareClaim,
  REPLACEMENT_DISCOUNT_PERCENT,
} from '#contracts/billing/care-claims.ts'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { hasTaxNote } from '#contracts/rules/price.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { CARE_HASH } from '#web/billing/offer.ts'
import { useLeaving } from '#web/billing/provider-page.ts'
import { goToCheckout } from '#web/billing/shop/go-to-checkout.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { useHasRight } from '#web/signed-in/user.queries.ts'
import { RequiredLegend } from '#web/ui/form/fields.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { TextAreaField } from '#web/ui/form/text-area-field.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { UnsavedGuard } from '#web/ui/overlay/unsaved-guard.tsx'
import classes from './settings.module.css'

const careApi = createClient(careClaims, clientPorts)

const coverQuery = (id: number) =>
  queryOptions({ queryKey: ['care', id], queryFn: ({ signal }) => careApi.read({ params: { id } }, { signal }), staleTime: 0 })

/** The section is rendered only with its data, so the browser cannot scroll to it by itself. */
const scrollToStart = (section: HTMLElement | null) => void section?.scrollIntoView({ block: 'start' })

const POLL_INTERVAL_MS = 2000
const MAX_ATTEMPTS = 10

/** Polls until the provider has confirmed the payment. */
const paidCoverQuery = (id: number) =>
  queryOptions({
    ...coverQuery(id),
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      data?.claim?.status === 'open' && dataUpdateCount < MAX_ATTEMPTS ? POLL_INTERVAL_MS : false,
  })

/** The tracker's care plan: the claim form, or the state of the claim. Absent without a plan. */
export function CareSection({ device }: { device: Device }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const has = useFeature('careClaims')
  const maySee = useHasRight('readOrders')
  const mayBuy = useHasRight('buy')
  const isBack = useSearchParams()[0].get('care') === 'paid'
  const isLinked = useLocation().hash === CARE_HASH
  const [isAsking, setAsking] = useState(false)
  const [isUnpaid, setUnpaid] = useState(false)
  const cover = useQuery({ ...(isBack ? paidCoverQuery(device.id) : coverQuery(device.id)), enabled: has && maySee }).data
  if (!cover || !(cover.has_plan || cover.claim)) return null
  const { claim, replacement } = cover
  // The provider redirects to this address only after a payment.
  const isWaiting = isBack && claim?.status === 'open'
  const isOpen = claim?.status === 'open'
  const isUnused = claim === null || claim.status === 'withdrawn'
  return (
    <section className={classes.card} aria-label={t('care.heading')} ref={isLinked ? scrollToStart : null}>
      <h2>{t('care.heading')}</h2>
      {replacement && claim?.status !== 'ordered' && (
        <p className={classes.why}>
          {t('care.lead', {
            percent: formats.percent(REPLACEMENT_DISCOUNT_PERCENT / 100),
            price: formats.price(replacement.unit_amount, replacement.currency),
            full: formats.price(replacement.full_amount, replacement.currency),
          })}
          {hasTaxNote(replacement.tax_behavior) && ` ${t('care.taxNote')}`}
        </p>
      )}
      {!replacement && claim?.status !== 'ordered' && <p className={classes.why}>{t('care.notSold')}</p>}
      {isUnused && replacement && mayBuy && !isAsking && (
        <div>
          <Button variant="default" h={44} onClick={() => setAsking(true)}>
            {t('care.use')}
          </Button>
        </div>
      )}
      {isUnused && isAsking && <ClaimForm device={device.id} onClose={() => setAsking(false)} onFailedPayment={() => setUnpaid(true)} />}
      {claim && !isUnused && <ClaimState claim={claim} />}
      {isWaiting && <p role="status">{t('care.waiting')}</p>}
      {isOpen && !isWaiting && mayBuy && <ClaimActions device={device.id} replacement={replacement} isUnpaid={isUnpaid} />}
    </section>
  )
}

type FormProps = { device: number; onClose: () => void; onFailedPayment: () => void }

function ClaimForm({ device, onClose, onFailedPayment }: FormProps) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { queryKey } = coverQuery(device)
  const { form, field, isBusy, isDirty, failure } = useForm({
    schema: NewCareClaim,
    submit: async (body) => {
      // Another tab may have opened a claim; reloading shows its state.
      const claim = await careApi.open({ params: { id: device }, body }).catch((error: unknown) => {
        void queries.invalidateQueries({ queryKey })
        throw error
      })
      // The claim is open even if its checkout cannot be opened: then it is paid from the claim's state.
      await startPayment(device).catch(onFailedPayment)
      queries.setQueryData(queryKey, (cover) => cover && { ...cover, claim })
      onClose()
    },
  })
  const reasons = CARE_REASONS.map((reason) => ({ value: reason, label: t(`care.reasons.${reason}`) }))
  return (
    <form {...form} className={classes.section}>
      <FormAlert>{failure}</FormAlert>
      <SelectField {...field('reason')} label={t('care.reason')} data={reasons} required />
      <TextAreaField {...field('description')} label={t('theft.description')} maxLength={TEXT_LENGTH.description} required />
      <TextAreaField
        {...field('delivery')}
        label={t('care.delivery')}
        description={t('care.deliveryHint')}
        maxLength={DELIVERY_MAX_LENGTH}
        autoComplete="street-address"
        required
      />
      <RequiredLegend />
      <div className={classes.buttons}>
        <Button type="submit" h={44} loading={isBusy}>
          {t('care.continue')}
        </Button>
        <Button variant="default" h={44} onClick={onClose}>
          {t('action.cancel')}
        </Button>
      </div>
      <UnsavedGuard isDirty={isDirty} />
    </form>
  )
}

function ClaimState({ claim }: { claim: CareClaim }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const reason = CARE_REASONS.find((each) => each === claim.reason)
  return (
    <div className={classes.claim}>
      <p role="status">
        {claim.status === 'open' ? t('care.open', { date: formats.date(claim.created_at) }) : t('care.ordered')}{' '}
        {claim.order !== null && (
          <Link to={`/orders/${encodeURIComponent(claim.order)}`}>{t('care.order', { reference: claim.order })}</Link>
        )}
      </p>
      {reason && <small>{t(`care.reasons.${reason}`)}</small>}
      <small>{claim.description}</small>
      {claim.delivery !== null && <small className={classes.lines}>{claim.delivery}</small>}
    </div>
  )
}

/** `isUnpaid`: the payment could not be started when the claim was opened. */
type ActionProps = { device: number; replacement: CareCover['replacement']; isUnpaid: boolean }

function ClaimActions({ device, replacement, isUnpaid }: ActionProps) {
  const { t } = useTranslation()
  const formats = useFormats()
  const queries = useQueryClient()
  const { queryKey } = coverQuery(device)
  const onError = () => void queries.invalidateQueries({ queryKey })
  const pay = useLeaving(() => startPayment(device), onError)
  const withdraw = useMutation({
    mutationFn: () => careApi.withdraw({ params: { id: device } }),
    onSuccess: (claim) => queries.setQueryData(queryKey, (cover) => cover && { ...cover, claim }),
    onError,
  })
  const hasFailed = (error: unknown) => error !== null && !(error instanceof ApiError && error.isLeaving)
  const isNotPaid = hasFailed(pay.error) || (isUnpaid && pay.isIdle)
  const sentence = hasFailed(withdraw.error) ? t('error.general') : isNotPaid ? t('care.payFailed') : null
  return (
    <>
      <FormAlert>{sentence}</FormAlert>
      <div className={classes.buttons}>
        {replacement && (
          <Button h={44} loading={pay.isPending || pay.isSuccess} disabled={withdraw.isPending} onClick={pay.start}>
            {t('care.pay', { amount: formats.price(replacement.unit_amount, replacement.currency) })}
          </Button>
        )}
        <Button variant="default" h={44} loading={withdraw.isPending} disabled={pay.isPending} onClick={() => withdraw.mutate()}>
          {t('care.withdraw')}
        </Button>
      </div>
    </>
  )
}

/** Opens the checkout of the claim, which returns to this section. */
async function startPayment(id: number) {
  const back = `/trackers/${encodeURIComponent(id)}/settings`
  await goToCheckout(await careApi.pay({ params: { id }, body: { success_path: `${back}?care=paid`, cancel_path: back } }))
}
