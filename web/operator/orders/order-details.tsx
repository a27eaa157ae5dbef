import { Button } from '@mantine/core'
import { IconPackageOff } from '@tabler/icons-react'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { staffRights } from '#contracts/lib/staff-rights.ts'
import type { OperatorOrderDetails } from '#contracts/operator/orders.ts'
import { copyText } from '#web/lib/copy-text.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { sessionQuery } from '#web/operator/session/session.queries.ts'
import { isSignedIn } from '#web/operator/session/session-state.ts'
import { Badges, Buttons, type Fact, Facts, Lines, Note, Section } from '#web/operator/workbench/workbench.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Empty } from '#web/ui/feedback/notice.tsx'
import classes from './order-details.module.css'
import { DeliverDialog, PickDialog, ReturnDialog, ShipDialog } from './order-dialogs.tsx'
import { OrderStateBadge } from './order-state-badge.tsx'
import { operatorOrderQuery } from './orders.queries.ts'
import { writeLabel } from './print-labels.tsx'

/** One order with its lines, its label and the buttons of its state. */
export function OrderDetails({ reference }: { reference: string }) {
  const { t } = useTranslation()
  const order = useSuspenseQuery(operatorOrderQuery(reference)).data
  if (!order) return <Empty icon={<IconPackageOff size={30} />} title={t('operator.orders.none')} />
  return (
    <>
      <h2>{reference}</h2>
      <Badges>
        <OrderStateBadge state={order.state} />
        {order.invoice?.refunded && <Badge tone="bad">{t('operator.orders.refunded')}</Badge>}
      </Badges>
      <Steps order={order} />
      <Summary order={order} />
      <Contents order={order} />
      {order.is_sent && <Label order={order} />}
      <Items order={order} />
    </>
  )
}

const STEPS = {
  to_pick: ['pick', 'ship'],
  picked: ['ship'],
  shipping: ['deliver', 'return'],
  delivered: ['return'],
  returned: [],
} as const satisfies Record<string, readonly Step[]>
type Step = 'pick' | 'ship' | 'deliver' | 'return'

const DIALOGS = { pick: PickDialog, ship: ShipDialog, deliver: DeliverDialog, return: ReturnDialog }

const stepsOf = ({ state, is_sent, invoice }: OperatorOrderDetails): readonly Step[] => {
  const steps: readonly Step[] = is_sent ? (STEPS[state as keyof typeof STEPS] ?? []) : []
  return invoice?.refunded ? steps.filter((step) => step === 'deliver' || step === 'return') : steps
}

function Steps({ order }: { order: OperatorOrderDetails }) {
  const { t } = useTranslation()
  const { data: session } = useQuery({ ...sessionQuery(), enabled: false })
  const [open, setOpen] = useState<Step | null>(null)
  const mayMove = isSignedIn(session) && staffRights.handleStock.some((role) => role === session.staff.role)
  const steps = stepsOf(order)
  const Dialog = open && DIALOGS[open]
  return (
    <>
      {!order.is_sent && <Note>{t('operator.orders.notSent')}</Note>}
      {order.invoice?.refunded && order.state !== 'returned' && <Note>{t('operator.orders.refundedLead')}</Note>}
      {mayMove && steps.length > 0 && (
        <Buttons>
          {steps.map((step, index) => (
            <Button key={step} h={44} variant={index === 0 ? 'filled' : 'default'} onClick={() => setOpen(step)}>
              {t(`operator.orders.${step}.button`)}
            </Button>
          ))}
        </Buttons>
      )}
      {Dialog && <Dialog reference={order.reference} onClose={() => setOpen(null)} />}
    </>
  )
}

function Summary({ order }: { order: OperatorOrderDetails }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const { customer, tracking, parcel_page } = order
  const steps = (['picked', 'shipped', 'delivered', 'returned', 'withdrawn'] as const).map((step): Fact => {
    const at = order[`${step}_at`]
    return [t(`operator.orders.at.${step}`), at && formats.dateTime(at)]
  })
  const parcel = parcel_page ? (
    <a href={parcel_page} target="_blank" rel="noreferrer">
      {tracking}
    </a>
  ) : (
    tracking
  )
  return (
    <Facts
      facts={[
        [t('operator.orders.customer'), customer.name],
        [t('operator.email'), customer.email],
        [t('operator.orders.date'), formats.dateTime(order.date)],
        [t('operator.orders.invoice'), order.invoice?.number],
        [t('operator.orders.carrier'), order.carrier],
        [t('operator.orders.tracking'), parcel],
        ...steps,
      ]}
    />
  )
}

function Contents({ order: { lines, tax, total, currency } }: { order: OperatorOrderDetails }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const money = (minorUnits: number) => formats.price(minorUnits, currency)
  return (
    <Lines
      title={t('operator.orders.contents')}
      lines={[
        ...lines.map(({ label, quantity, unit_amount }) => ({
          key: label,
          label: `${formats.number(quantity)} × ${label}`,
          end: money(quantity * unit_amount),
        })),
        ...(tax === null ? [] : [{ key: 'tax', label: t('operator.orders.tax'), end: money(tax) }]),
        { key: 'total', label: <strong>{t('operator.orders.total')}</strong>, end: <strong>{money(total)}</strong> },
      ]}
    />
  )
}

/** What is written on the parcel, to copy or to print. */
function Label({ order: { address, reference } }: { order: OperatorOrderDetails }) {
  const { t } = useTranslation()
  const [isCopied, setCopied] = useState(false)
  const text = writeLabel({ address, reference }) ?? reference
  return (
    <Section title={t('operator.orders.address')}>
      {address ? (
        <>
          <p className={classes.label}>{text}</p>
          <Buttons>
            <Button variant="default" h={44} onClick={() => void copyText(text).then(setCopied)}>
              {t('operator.orders.copyLabel')}
            </Button>
            <Button variant="default" h={44} onClick={() => window.print()}>
              {t('operator.orders.printLabel')}
            </Button>
          </Buttons>
          <span role="status">{isCopied && t('links.copied')}</span>
        </>
      ) : (
        <Note>{t('operator.orders.noAddress')}</Note>
      )}
    </Section>
  )
}

function Items({ order: { items } }: { order: OperatorOrderDetails }) {
  const { t } = useTranslation()
  return (
    <Lines
      title={t('operator.orders.items')}
      lines={items.map(({ identifier, serial, claimed }) => ({
        key: identifier,
        label: `${identifier} · ${serial}`,
        end: claimed && <Badge>{t('operator.orders.claimed')}</Badge>,
      }))}
    />
  )
}
