import {
  IconAt,
  IconChevronRight,
  IconDeviceMobileX,
  IconGift,
  IconLockOpen,
  IconMailForward,
  IconPlayerPause,
  IconPlayerPlay,
  IconSwitchHorizontal,
  IconUsers,
} from '@tabler/icons-react'
import { type ComponentType, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Customer } from '#contracts/operator/customers.ts'
import { useNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { deedWords } from '#web/operator/log/deed-words.ts'
import { RequestCard } from '#web/operator/requests/request-card.tsx'
import { useMayHelp } from '#web/operator/session/use-may-help.ts'
import classes from './customer-screen.module.css'
import {
  ChangeEmailDialog,
  EndSessionsDialog,
  GiveMonthsDialog,
  MakeProDialog,
  MovePlanDialog,
  ResendDialog,
  UnlockDialog,
} from './help-dialogs.tsx'
import { PausePlanDialog, ResumePlanDialog } from './pause-dialogs.tsx'

type Props = { customer: Customer }

export function CustomerAside({ customer }: Props) {
  const mayHelp = useMayHelp()
  return (
    <aside className={classes.aside}>
      <OpenRequests customer={customer} />
      {mayHelp && <Help customer={customer} />}
      <Sessions customer={customer} />
      <Deeds customer={customer} />
    </aside>
  )
}

function OpenRequests({ customer: { requests } }: Props) {
  const { t } = useTranslation()
  const open = requests.filter(({ status }) => status === 'pending')
  if (open.length === 0) return null
  return (
    <section aria-label={t('operator.requests.open')}>
      <h2>{t('operator.requests.open')}</h2>
      {open.map((request) => (
        <RequestCard key={request.reference} request={request} />
      ))}
    </section>
  )
}

const DIALOGS = {
  giveMonths: { Icon: IconGift, Dialog: GiveMonthsDialog },
  movePlan: { Icon: IconSwitchHorizontal, Dialog: MovePlanDialog },
  pausePlan: { Icon: IconPlayerPause, Dialog: PausePlanDialog },
  resumePlan: { Icon: IconPlayerPlay, Dialog: ResumePlanDialog },
  unlock: { Icon: IconLockOpen, Dialog: UnlockDialog },
  endSessions: { Icon: IconDeviceMobileX, Dialog: EndSessionsDialog },
  makePro: { Icon: IconUsers, Dialog: MakeProDialog },
  resendConfirmation: { Icon: IconMailForward, Dialog: (props) => <ResendDialog {...props} mail="confirmation" /> },
  changeEmail: { Icon: IconAt, Dialog: ChangeEmailDialog },
  resendPassword: { Icon: IconMailForward, Dialog: (props) => <ResendDialog {...props} mail="password" /> },
} as const satisfies Record<string, { Icon: ComponentType<{ size: number }>; Dialog: ComponentType<Props & { onClose: () => void }> }>
type Deed = keyof typeof DIALOGS

function Help({ customer }: Props) {
  const { t } = useTranslation()
  const [open, setOpen] = useState<Deed | null>(null)
  const isOffered: Partial<Record<Deed, boolean>> = {
    resendConfirmation: !customer.people[0]?.email_confirmed,
    makePro: !customer.is_pro,
    resumePlan: customer.trackers.some(({ paused_until }) => paused_until !== null),
  }
  const deeds = (Object.keys(DIALOGS) as Deed[]).filter((deed) => isOffered[deed] ?? true)
  const Dialog = open && DIALOGS[open].Dialog
  return (
    <section aria-label={t('operator.customer.help')}>
      <h2>{t('operator.customer.help')}</h2>
      <ul className={classes.deeds}>
        {deeds.map((deed) => {
          const { Icon } = DIALOGS[deed]
          return (
            <li key={deed}>
              <button type="button" onClick={() => setOpen(deed)}>
                <Icon size={18} aria-hidden="true" />
                <span>{t(`operator.customer.${deed}`)}</span>
                <IconChevronRight size={16} aria-hidden="true" />
              </button>
            </li>
          )
        })}
      </ul>
      {Dialog && <Dialog customer={customer} onClose={() => setOpen(null)} />}
    </section>
  )
}

const SHOWN_SESSIONS = 5

function Sessions({ customer: { people } }: Props) {
  const { t } = useTranslation()
  const formats = useFormats()
  const now = useNow()
  const sessions = people.flatMap((person) => person.sessions).sort((a, b) => b.last_seen_at.localeCompare(a.last_seen_at))
  return (
    <section aria-label={t('operator.customer.sessions')}>
      <h2>
        {t('operator.customer.sessions')} <span className={classes.count}>{sessions.length}</span>
      </h2>
      {sessions.length === 0 && <p className={classes.none}>{t('operator.customer.noSession')}</p>}
      <ul className={classes.entries}>
        {sessions.slice(0, SHOWN_SESSIONS).map(({ agent, last_seen_at, created_at }) => (
          <li key={`${created_at} ${last_seen_at} ${agent}`}>
            <span>{agent ?? t('operator.customer.unknownBrowser')}</span>
            <time dateTime={last_seen_at}>{formats.age(last_seen_at, now)}</time>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Deeds({ customer: { deeds } }: Props) {
  const { t, i18n } = useTranslation()
  const formats = useFormats()
  const now = useNow()
  return (
    <section aria-label={t('operator.customer.log')}>
      <h2>{t('operator.customer.log')}</h2>
      <p className={classes.hint}>{t('operator.customer.logLead')}</p>
      {deeds.length === 0 && <p className={classes.none}>{t('operator.customer.noDeed')}</p>}
      <ul className={classes.entries}>
        {deeds.map((deed) => (
          <li key={deed.id}>
            <span>
              {deedWords(t, i18n, deed)}
              <small className={classes.small}>{deed.who}</small>
            </span>
            <time dateTime={deed.at}>{formats.age(deed.at, now)}</time>
          </li>
        ))}
      </ul>
    </section>
  )
}
