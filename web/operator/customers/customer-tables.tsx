import { IconExternalLink } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ORDER_STATUSES } from '#contracts/billing/orders.ts'
import { FIRING_KINDS } from '#contracts/firings.ts'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import type { Customer, CustomerAlert, CustomerInvoice, CustomerTracker } from '#contracts/operator/customers.ts'
import { isLateFiring, useNoticeWords } from '#web/alerts/fired/firing-words.ts'
import { useNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { durationWords, subStateWords } from '#web/lib/i18n/words.ts'
import { SortedTable } from '#web/operator/workbench/sorted-table.tsx'
import type { ValuedColumn } from '#web/operator/workbench/sorting.ts'
import { Badge, type Tone } from '#web/ui/badge.tsx'
import classes from './customer-screen.module.css'

type Props = { customer: Customer }
type SectionProps<T> = {
  title: string
  count: number
  rows: readonly T[]
  keyOf: (row: T) => string | number
  none: string
  columns: ValuedColumn<T>[]
  sortName: string
}

function Section<T>({ title, count, rows, none, ...table }: SectionProps<T>) {
  return (
    <section className={classes.section} aria-label={title}>
      <h2>
        {title} <span className={classes.count}>{count}</span>
      </h2>
      {rows.length === 0 ? <p className={classes.none}>{none}</p> : <SortedTable label={title} rows={rows} {...table} />}
    </section>
  )
}

export const Small = ({ children }: { children: ReactNode }) => <small className={classes.small}>{children}</small>

export function Trackers({ customer: { trackers, counts } }: Props) {
  const { t } = useTranslation()
  const formats = useFormats()
  const now = useNow()
  return (
    <Section
      title={t('operator.customers.trackers')}
      count={counts.trackers}
      rows={trackers}
      keyOf={({ id }) => id}
      none={t('operator.customer.noTracker')}
      sortName="sort_trackers"
      columns={[
        { head: t('operator.customers.name'), sort: 'name', value: ({ name }) => name, cell: ({ name }) => name },
        {
          head: t('operator.customers.number'),
          sort: 'number',
          value: ({ identifier }) => identifier,
          cell: (tracker) => <Numbers tracker={tracker} />,
        },
        { head: t('operator.customer.state'), cell: (tracker) => <TrackerState tracker={tracker} /> },
        {
          head: t('operator.customer.lastMessage'),
          sort: 'message',
          value: ({ last_message_at }) => last_message_at,
          isEnd: true,
          cell: ({ last_message_at }) => (last_message_at ? formats.age(last_message_at, now) : t('operator.staff.never')),
        },
        { head: t('operator.customer.plan'), cell: (tracker) => <Plan tracker={tracker} /> },
        {
          head: t('operator.customer.ends'),
          sort: 'end',
          value: ({ sub_end_date }) => sub_end_date,
          isEnd: true,
          cell: ({ sub_end_date }) => (sub_end_date ? formats.date(sub_end_date) : '–'),
        },
        { head: t('operator.actions'), isUnlabelled: true, isEnd: true, cell: ({ id }) => <OpenAsSupport id={id} /> },
      ]}
    />
  )
}

/** The tracker in the portal, for users with the role `deepsupport`, who sign in there. */
export function OpenAsSupport({ id }: { id: number }) {
  const label = useTranslation().t('operator.customer.openAsSupport')
  return (
    <a className={classes.asSupport} href={`/trackers/${id}`} target="_blank" rel="noreferrer" aria-label={label} title={label}>
      <IconExternalLink size={18} />
    </a>
  )
}

export function Numbers({ tracker: { identifier, serial, stock } }: { tracker: CustomerTracker }) {
  const { t } = useTranslation()
  const small = [serial && `S/N ${serial.replace(/^\*+/, '…')}`, stock?.batch, stock?.is_blocked && t('operator.customer.blocked')].filter(
    Boolean,
  )
  return (
    <span className={classes.number}>
      {identifier ?? '–'}
      {small.length > 0 && <Small>{small.join(' · ')}</Small>}
    </span>
  )
}

const TONES: Partial<Record<string, Tone>> = { active: 'good', ended: 'bad' }

export function TrackerState({ tracker: { sub_state, service, reported_missing, paused_until } }: { tracker: CustomerTracker }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const shown = (['resting', 'grace'] as const).find((each) => each === service)
  return (
    <span className={classes.badges}>
      {reported_missing && <Badge tone="bad">{t('operator.customer.missing')}</Badge>}
      <Badge tone={TONES[sub_state] ?? 'plain'}>{subStateWords(t, sub_state)}</Badge>
      {paused_until ? (
        <Badge tone="warn">{t('operator.customer.pausedUntil', { date: formats.date(paused_until) })}</Badge>
      ) : (
        shown && <Badge tone="warn">{t(`operator.customer.${shown}`)}</Badge>
      )}
    </span>
  )
}

function Plan({ tracker: { plan, stock, sub_state } }: { tracker: CustomerTracker }) {
  const { t } = useTranslation()
  const formats = useFormats()
  if (sub_state === 'not_activated' && stock?.included_months)
    return t('operator.customer.included', { duration: durationWords(t, stock.included_months) })
  if (!plan || plan.months + plan.extra === 0) return '–'
  const renewal = plan.renews_at ? t('operator.customer.renewsOn', { date: formats.date(plan.renews_at) }) : t('operator.customer.once')
  return (
    <span className={classes.number}>
      {durationWords(t, plan.months, plan.extra)}
      <Small>{renewal}</Small>
    </span>
  )
}

export function Payments({ customer: { invoices, counts } }: Props) {
  const { t } = useTranslation()
  const formats = useFormats()
  return (
    <Section
      title={t('operator.customer.payments')}
      count={counts.invoices}
      rows={invoices}
      keyOf={({ id }) => id}
      none={t('operator.customer.noPayment')}
      sortName="sort_payments"
      columns={[
        { head: t('operator.customer.invoice'), sort: 'number', value: ({ number }) => number, cell: ({ number }) => number },
        { head: t('operator.customer.date'), sort: 'date', value: ({ date }) => date, cell: ({ date }) => formats.date(date) },
        { head: t('operator.customer.for'), cell: ({ lines }) => lines.join(', ') || '–' },
        {
          head: t('operator.customer.sum'),
          sort: 'sum',
          value: ({ amount }) => amount,
          isEnd: true,
          cell: ({ amount, currency }) => formats.price(amount, currency),
        },
        { head: t('operator.customer.state'), isEnd: true, cell: (invoice) => <InvoiceState invoice={invoice} /> },
      ]}
    />
  )
}

function InvoiceState({ invoice: { status, refunded, dispute, currency } }: { invoice: CustomerInvoice }) {
  const { t } = useTranslation()
  const formats = useFormats()
  if (dispute) return <Badge tone="bad">{t('operator.customer.disputed')}</Badge>
  if (refunded > 0) return <Badge>{t('operator.customer.refunded', { amount: formats.price(refunded, currency) })}</Badge>
  if (status === 'paid') return <Badge tone="good">{t('operator.customer.isPaid')}</Badge>
  if (status === 'failed') return <Badge tone="bad">{t('operator.customer.failed')}</Badge>
  return <Badge tone="warn">{t('operator.customer.open')}</Badge>
}

export function Orders({ customer: { orders, counts } }: Props) {
  const { t } = useTranslation()
  const formats = useFormats()
  const stateOf = (status: string) => {
    const known = pickListed(ORDER_STATUSES, status, null)
    return known ? t(`operator.customer.orderStates.${known}`) : status
  }
  return (
    <Section
      title={t('operator.customer.orders')}
      count={counts.orders}
      rows={orders}
      keyOf={({ reference }) => reference}
      none={t('operator.customer.noOrder')}
      sortName="sort_orders"
      columns={[
        { head: t('operator.customer.order'), sort: 'order', value: ({ reference }) => reference, cell: ({ reference }) => reference },
        { head: t('operator.customer.date'), sort: 'date', value: ({ date }) => date, cell: ({ date }) => formats.date(date) },
        { head: t('operator.customer.for'), cell: ({ lines }) => lines.join(', ') || '–' },
        {
          head: t('operator.customer.sum'),
          sort: 'sum',
          value: ({ total }) => total,
          isEnd: true,
          cell: ({ total, currency }) => formats.price(total, currency),
        },
        {
          head: t('operator.customer.state'),
          isEnd: true,
          cell: ({ status }) => <Badge tone={status === 'delivered' ? 'good' : 'warn'}>{stateOf(status)}</Badge>,
        },
      ]}
    />
  )
}

export function People({ customer: { people } }: Props) {
  const { t } = useTranslation()
  const formats = useFormats()
  const now = useNow()
  return (
    <Section
      title={t('operator.customer.people')}
      count={people.length}
      rows={people}
      keyOf={({ id }) => id}
      none=""
      sortName="sort_people"
      columns={[
        { head: t('operator.customers.name'), cell: ({ name, email }) => name || email },
        { head: t('operator.email'), sort: 'email', value: ({ email }) => email, cell: ({ email }) => email },
        {
          head: t('operator.customer.state'),
          cell: ({ email_confirmed, locked_until }) =>
            locked_until ? (
              <Badge tone="bad">{t('operator.customer.locked')}</Badge>
            ) : (
              <Badge tone={email_confirmed ? 'good' : 'warn'}>
                {t(`operator.customer.${email_confirmed ? 'confirmed' : 'unconfirmed'}`)}
              </Badge>
            ),
        },
        {
          head: t('operator.staff.lastSeen'),
          isEnd: true,
          cell: ({ sessions: [newest] }) => (newest ? formats.age(newest.last_seen_at, now) : t('operator.staff.never')),
        },
      ]}
    />
  )
}

export function Alerts({ customer: { alerts, counts } }: Props) {
  const { t } = useTranslation()
  const formats = useFormats()
  const describeKind = (kind: string) => {
    const known = pickListed(FIRING_KINDS, kind, null)
    return known ? t(`fired.kinds.${known}`) : kind
  }
  return (
    <Section
      title={t('title.alertsFired')}
      count={counts.alerts}
      rows={alerts}
      keyOf={({ id }) => id}
      none={t('fired.none')}
      sortName="sort_alerts"
      columns={[
        { head: t('operator.customer.date'), sort: 'date', value: ({ at }) => at, cell: ({ at }) => formats.dateTime(at) },
        { head: t('fired.tracker'), sort: 'tracker', value: ({ device_name }) => device_name, cell: ({ device_name }) => device_name },
        { head: t('fired.kind'), cell: ({ kind }) => describeKind(kind) },
        { head: t('fired.who'), cell: (alert) => <NoticeLines alert={alert} /> },
      ]}
    />
  )
}

function NoticeLines({ alert: { at, published_at, notices } }: { alert: CustomerAlert }) {
  const { t } = useTranslation()
  const describe = useNoticeWords()
  if (!notices) return t('fired.noLines')
  if (notices.length === 0) return t(isLateFiring({ at, published_at }) ? 'fired.late' : 'fired.nobody')
  return (
    <span className={classes.number}>
      {notices.map((notice, index) => {
        const { name, to, says } = describe(notice)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a fired alert have a fixed order and no ids
          <span key={index} className={classes.number}>
            {to ? `${name}: ${to}` : name}
            <Small>{says}</Small>
          </span>
        )
      })}
    </span>
  )
}
