import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { MAX_SHIPPED, type OperatorShipment, type operatorOrders, PARCEL_LENGTH, SHIPMENT_OUTCOMES } from '#contracts/operator/orders.ts'
import { readParcelLines } from '#contracts/rules/reading/parcel-lines.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { operatorOrdersApi } from '#web/operator/session/operator.api.ts'
import { Badge } from '#web/ui/badge.tsx'
import { TextField } from '#web/ui/form/fields.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { TextAreaField } from '#web/ui/form/text-area-field.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { DataTable } from '#web/ui/lists/data-table.tsx'
import { Dialog, DialogFoot } from '#web/ui/overlay/dialog.tsx'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { CarrierField } from './order-dialogs.tsx'
import { ORDERS_KEY } from './orders.queries.ts'

type Parcels = z.infer<typeof operatorOrders.shipMany.body>['orders']
type Checked = { parcels: Parcels; shipments: readonly OperatorShipment[] }

/** Ships several orders: parcel numbers by row or pasted, then what would happen, then what has happened. */
export function ShipTogetherDialog({ references, onClose }: { references: readonly string[]; onClose: () => void }) {
  const [checked, setChecked] = useState<Checked | null>(null)
  return checked ? (
    <Shipments {...checked} onClose={onClose} />
  ) : (
    <ParcelsForm references={references} onChecked={setChecked} onClose={onClose} />
  )
}

const fieldOf = (reference: string) => `parcel ${reference}`

type Values = { carrier: string; pasted: string }

/** The parcels of the fields and of the pasted lines, which win over the field of the same order. */
function readParcels(references: readonly string[], values: Values) {
  const { carrier, pasted } = values
  const fields: Record<string, string> = values
  const list = readParcelLines(pasted, carrier)
  const pastedOrders = list.lines.map(({ order }) => order)
  const others = references
    .filter((reference) => !pastedOrders.includes(reference))
    .map((order) => ({ order, carrier, tracking: fields[fieldOf(order)] ?? '' }))
  const parcels: Parcels = [...others, ...list.lines].map(({ tracking, ...line }) => ({ ...line, ...(tracking && { tracking }) }))
  return { parcels, unreadable: list.unreadable, needsCarrier: others.length > 0 && carrier === '' }
}

type FormProps = { references: readonly string[]; onChecked: (checked: Checked) => void; onClose: () => void }

function ParcelsForm({ references, onChecked, onClose }: FormProps) {
  const { t } = useTranslation()
  const tracking = z.string().check(z.maxLength(PARCEL_LENGTH.tracking))
  const form = useForm({
    schema: z.object({
      carrier: z.string().check(z.maxLength(PARCEL_LENGTH.carrier)),
      pasted: z.string(),
      ...Object.fromEntries(references.map((reference) => [fieldOf(reference), tracking] as const)),
    }),
    submit: async (values) => {
      const { parcels, unreadable, needsCarrier } = readParcels(references, values)
      if (unreadable.length > 0 || needsCarrier) throw new ApiError(400, { code: 'validation_error' })
      const { shipments } = await operatorOrdersApi.previewShipments({ body: { orders: parcels } })
      onChecked({ parcels, shipments })
    },
    failure: ({ code }, values): Record<string, string> | undefined => {
      const { unreadable, needsCarrier } = readParcels(references, values)
      if (unreadable.length > 0) return { pasted: t('operator.orders.together.unreadable', { lines: unreadable.join(', ') }) }
      return needsCarrier || code === 'validation_error' ? { carrier: t('error.invalid') } : undefined
    },
  })
  return (
    <FormDialog
      title={t('operator.orders.together.title')}
      lead={t('operator.orders.ship.lead')}
      of={form}
      action={t('operator.orders.together.check')}
      onClose={onClose}
    >
      <CarrierField {...form.field('carrier')} />
      {references.map((reference) => (
        <TextField
          key={reference}
          {...form.field(fieldOf(reference) as 'carrier')}
          label={t('operator.orders.together.parcelOf', { reference })}
          autoComplete="off"
          spellCheck={false}
        />
      ))}
      <TextAreaField
        {...form.field('pasted')}
        label={t('operator.orders.together.paste', { most: MAX_SHIPPED })}
        autoComplete="off"
        spellCheck={false}
      />
    </FormDialog>
  )
}

const TONES = {
  ready: 'good',
  shipped: 'good',
  already: 'plain',
  not_found: 'bad',
  wrong_step: 'bad',
  order_refunded: 'bad',
  duplicate: 'warn',
} as const

function Outcome({ outcome }: { outcome: OperatorShipment['outcome'] }) {
  const { t } = useTranslation()
  const known = pickListed(SHIPMENT_OUTCOMES, outcome, null)
  return known ? <Badge tone={TONES[known]}>{t(`operator.orders.together.outcomes.${known}`)}</Badge> : <Badge>{outcome}</Badge>
}

/** What would happen to each order; after the button, what has happened. */
function Shipments({ parcels, shipments: preview, onClose }: Checked & { onClose: () => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [done, setDone] = useState<readonly OperatorShipment[] | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [hasFailed, setFailed] = useState(false)
  const ship = async () => {
    setBusy(true)
    setFailed(false)
    try {
      setDone((await operatorOrdersApi.shipMany({ body: { orders: parcels } })).shipments)
      await queries.invalidateQueries({ queryKey: ORDERS_KEY })
    } catch {
      setFailed(true)
    } finally {
      setBusy(false)
    }
  }
  const shown = done ?? preview
  // The same order may be in a list twice.
  const rows = shown.map((shipment, at) => ({ ...shipment, at }))
  return (
    <Dialog title={t('operator.orders.together.title')} lead={t(`operator.orders.together.${done ? 'done' : 'preview'}`)} onClose={onClose}>
      <FormAlert>{hasFailed ? t('error.general') : null}</FormAlert>
      <DataTable
        label={t('operator.orders.together.result')}
        rows={rows}
        keyOf={({ at }) => at}
        columns={[
          { head: t('operator.orders.order'), cell: ({ order }) => order },
          { head: t('operator.orders.tracking'), cell: ({ carrier, tracking }) => [carrier, tracking].filter(Boolean).join(' ') },
          { head: t('operator.orders.together.result'), cell: ({ outcome }) => <Outcome outcome={outcome} /> },
        ]}
      />
      <DialogFoot>
        <Button variant="default" h={44} onClick={onClose}>
          {t(done ? 'action.close' : 'action.cancel')}
        </Button>
        {!done && (
          <Button h={44} loading={isBusy} disabled={!shown.some(({ outcome }) => outcome === 'ready')} onClick={() => void ship()}>
            {t('operator.orders.ship.action')}
          </Button>
        )}
      </DialogFoot>
    </Dialog>
  )
}
