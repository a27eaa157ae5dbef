import {
  type Icon,
  IconChevronRight,
  IconCircleCheck,
  IconCreditCardOff,
  IconInbox,
  IconMailExclamation,
  IconQuestionMark,
  IconTruckDelivery,
} from '@tabler/icons-react'
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { useContext } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { Today } from '#contracts/operator/today.ts'
import { useNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { todayApi } from '#web/operator/session/operator.api.ts'
import { VisiblePaths } from '#web/operator/session/visible-paths.ts'
import { Part } from '#web/ui/feedback/part.tsx'
import { DataTable } from '#web/ui/lists/data-table.tsx'
import { Page } from '#web/ui/page.tsx'
import classes from './today-screen.module.css'

const REFRESH_MS = 60_000

const todayQuery = () =>
  queryOptions({
    queryKey: ['today'],
    queryFn: ({ signal }) => todayApi.get({}, { signal }),
    staleTime: 0,
    refetchInterval: REFRESH_MS,
  })

/** What waits for staff, and the figures of the business. */
export default function TodayScreen() {
  const { t } = useTranslation()
  const formats = useFormats()
  return (
    <Page title={t('operator.screens.today')} lead={formats.date(useNow())}>
      <Part>
        <Overview />
      </Part>
    </Page>
  )
}

function Overview() {
  const { t } = useTranslation()
  const {
    data: { waiting, figures },
  } = useSuspenseQuery(todayQuery())
  return (
    <>
      <KeyFigures figures={figures} />
      <section aria-label={t('operator.today.waiting')} className={classes.part}>
        <h2>{t('operator.today.waiting')}</h2>
        <Waiting waiting={waiting} />
      </section>
      <section aria-label={t('operator.today.figures')} className={classes.part}>
        <h2>{t('operator.today.figures')}</h2>
        <Figures figures={figures} />
      </section>
    </>
  )
}

function KeyFigures({ figures }: Pick<Today, 'figures'>) {
  const { t } = useTranslation()
  const formats = useFormats()
  const shown = [
    [t('operator.today.active'), figures.active],
    [t('operator.today.events.sign_ups'), figures.sign_ups.day],
    [t('operator.today.events.activations'), figures.activations.day],
    [t('operator.today.events.renewals'), figures.renewals.day],
    [t('operator.today.unconfirmed'), figures.unconfirmed],
  ] as const
  return (
    <dl className={classes.figures}>
      {shown.map(([name, value], nth) => (
        <div key={name}>
          <dt>
            {name}
            {nth > 0 && nth < 4 && <small> · {t('operator.today.periods.day')}</small>}
          </dt>
          <dd>{formats.number(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

type Kind = keyof Today['waiting']

/** Where each kind is worked on, as far as the console has the screen and the role may see it. */
const KINDS: readonly { kind: Kind; Icon: Icon; path: string; query?: string }[] = [
  { kind: 'requests', Icon: IconInbox, path: '/operator/requests' },
  { kind: 'orders', Icon: IconTruckDelivery, path: '/operator/orders', query: '?state=to_pick' },
  { kind: 'failed_payments', Icon: IconCreditCardOff, path: '/operator/invoices', query: '?state=failed' },
  { kind: 'unexplained_payments', Icon: IconQuestionMark, path: '/operator/payments' },
  { kind: 'late_mails', Icon: IconMailExclamation, path: '/operator/mails' },
]

function Waiting({ waiting }: Pick<Today, 'waiting'>) {
  const { t } = useTranslation()
  const formats = useFormats()
  const paths = useContext(VisiblePaths)
  const isIdle = Object.values(waiting).every((count) => count === 0)
  if (isIdle) {
    return (
      <p className={classes.idle}>
        <IconCircleCheck size={20} aria-hidden="true" />
        {t('operator.today.nothing')}
      </p>
    )
  }
  return (
    <ul className={classes.waiting}>
      {KINDS.map(({ kind, Icon, path, query = '' }) => {
        const row = (
          <>
            <span className={classes.sign} aria-hidden="true">
              <Icon size={18} />
            </span>
            <span>{t(`operator.today.kinds.${kind}`)}</span>
            <strong>{formats.number(waiting[kind])}</strong>
          </>
        )
        const isLinked = paths.includes(path) && waiting[kind] > 0
        return (
          <li key={kind} data-none={waiting[kind] === 0 || undefined}>
            {isLinked ? (
              <Link to={`${path}${query}`} className={classes.row}>
                {row}
                <IconChevronRight size={18} aria-hidden="true" />
              </Link>
            ) : (
              <span className={classes.row}>{row}</span>
            )}
          </li>
        )
      })}
    </ul>
  )
}

const EVENTS = ['sign_ups', 'activations', 'renewals', 'ended'] as const
const PERIODS = ['day', 'week', 'month'] as const

function Figures({ figures }: Pick<Today, 'figures'>) {
  const { t } = useTranslation()
  const formats = useFormats()
  return (
    <DataTable
      label={t('operator.today.figures')}
      rows={EVENTS}
      keyOf={(event) => event}
      columns={[
        { head: t('operator.today.figure'), cell: (event) => t(`operator.today.events.${event}`) },
        ...PERIODS.map((period) => ({
          head: t(`operator.today.periods.${period}`),
          isEnd: true,
          cell: (event: (typeof EVENTS)[number]) => formats.number(figures[event][period]),
        })),
      ]}
    />
  )
}
