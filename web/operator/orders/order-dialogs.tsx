import { useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, useId } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { CARRIERS, type OperatorOrderDetails, operatorOrders } from '#contracts/operator/orders.ts'
import type { ApiError } from '#web/lib/api/api-error.ts'
import { showToast } from '#web/lib/toasts.ts'
import { operatorOrdersApi } from '#web/operator/session/operator.api.ts'
import { RequiredLegend, TextField } from '#web/ui/form/fields.tsx'
import { TextAreaField } from '#web/ui/form/text-area-field.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { ORDERS_KEY, operatorOrderQuery } from './orders.queries.ts'

type Props = { reference: string; onClose: () => void }

/** A field that offers the known carriers and takes any other name too. */
export function CarrierField(props: Omit<ComponentProps<typeof TextField>, 'label' | 'list'>) {
  const { t } = useTranslation()
  const carriers = useId()
  return (
    <>
      <TextField {...props} label={t('operator.orders.carrier')} list={carriers} autoComplete="off" />
      <datalist id={carriers}>
        {CARRIERS.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  )
}

/** Shows the order as the server has it now. */
function useShow({ reference, onClose }: Props) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  return async (order: OperatorOrderDetails) => {
    queries.setQueryData(operatorOrderQuery(reference).queryKey, order)
    showToast(t('form.saved'))
    onClose()
    await queries.invalidateQueries({ queryKey: [...ORDERS_KEY, 'list'] })
  }
}

function useFailure() {
  const { t } = useTranslation()
  return ({ code, extras }: ApiError) => {
    if (code === 'wrong_step') return t('operator.orders.changed')
    if (code === 'order_refunded') return t('operator.orders.refundedLead')
    if (code === 'not_in_stock') return { items: t('operator.orders.pick.unknown', { item: String(extras.item) }) }
    if (code === 'in_use') return { items: t('operator.orders.pick.inUse', { item: String(extras.item) }) }
    return undefined
  }
}

export function PickDialog(props: Props) {
  const { t } = useTranslation()
  const show = useShow(props)
  const { reference, onClose } = props
  const form = useForm({
    schema: z.object({ items: z.string() }),
    submit: async ({ items }) => {
      const numbers = items.split(/[\n,;]/).map((line) => line.trim())
      await show(await operatorOrdersApi.pick({ params: { reference }, body: { items: numbers.filter((line) => line !== '') } }))
    },
    failure: useFailure(),
  })
  return (
    <FormDialog
      title={t('operator.orders.pick.title', { reference })}
      lead={t('operator.orders.pick.lead')}
      of={form}
      action={t('operator.orders.pick.action')}
      onClose={onClose}
    >
      <TextAreaField {...form.field('items')} label={t('operator.orders.pick.items')} autoComplete="off" spellCheck={false} />
    </FormDialog>
  )
}

export function ShipDialog(props: Props) {
  const { t } = useTranslation()
  const show = useShow(props)
  const { reference, onClose } = props
  const form = useForm({
    schema: operatorOrders.ship.body,
    submit: async ({ tracking, ...body }) =>
      show(await operatorOrdersApi.ship({ params: { reference }, body: { ...body, ...(tracking && { tracking }) } })),
    failure: useFailure(),
  })
  return (
    <FormDialog
      title={t('operator.orders.ship.title', { reference })}
      lead={t('operator.orders.ship.lead')}
      of={form}
      action={t('operator.orders.ship.action')}
      onClose={onClose}
    >
      <CarrierField {...form.field('carrier')} required />
      <TextField {...form.field('tracking')} label={t('operator.orders.tracking')} autoComplete="off" spellCheck={false} />
      <RequiredLegend />
    </FormDialog>
  )
}

/** Asks before a step that has no further input, with its consequence in words. */
function StepDialog({ step, ...props }: Props & { step: 'deliver' | 'return' }) {
  const { t } = useTranslation()
  const show = useShow(props)
  const fail = useFailure()
  const { reference, onClose } = props
  return (
    <ConfirmDialog
      title={t(`operator.orders.${step}.title`, { reference })}
      action={t(`operator.orders.${step}.action`)}
      onConfirm={async () => show(await operatorOrdersApi[step]({ params: { reference }, body: {} }))}
      onClose={onClose}
      failure={(error) => String(fail(error) ?? '') || undefined}
    >
      {t(`operator.orders.${step}.lead`)}
    </ConfirmDialog>
  )
}

export const DeliverDialog = (props: Props) => <StepDialog step="deliver" {...props} />
export const ReturnDialog = (props: Props) => <StepDialog step="return" {...props} />
