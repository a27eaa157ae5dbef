import { Button } from '@mantine/core'
import { IconChevronLeft, IconListNumbers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Navigate, useNavigate, useSearchParams } from 'react-router-dom'
import { KINDS } from '#contracts/rules/tracking/tracker.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { FailedInvoice } from '#web/billing/failed-invoice.tsx'
import { lazy } from '#web/lib/chunk.ts'
import { tabStorage } from '#web/lib/storage.ts'
import { useMapLayout } from '#web/map/use-map-layout.ts'
import { PhoneSetup } from '#web/phones/phone-setup.tsx'
import { useMadeKey } from '#web/phones/use-made-key.ts'
import { sessionQuery } from '#web/signed-in/user.queries.ts'
import type { ListedKind } from '#web/trackers/listed-kind.ts'
import { useLive } from '#web/trackers/live/use-live.ts'
import { KindDisc } from '#web/trackers/parts/kind-icon.tsx'
import classes from './first-minute.module.css'
import { ReportStep } from './report-step.tsx'
import { StartMap } from './start-map.tsx'

const ManyStep = lazy(() => import('#web/first-minute/many/many-step.tsx'))

type Props = { devices: readonly Device[]; step: string | null }

/** The way from an empty account to a tracker on the map: what to find, how it reports, and for a phone how to connect it. */
export default function FirstMinute({ devices, step }: Props) {
  const { t } = useTranslation()
  useLive()
  const [params] = useSearchParams()
  const isWide = useMapLayout() !== 'narrow'
  const kind = KINDS.find((known) => known === params.get('kind'))
  const device = devices.find(({ id }) => String(id) === params.get('id'))
  if (step === 'phone' && !device) return <Navigate to="/" replace />
  const page = (content: ReactNode) => (
    <div className={classes.page} data-wide={isWide || undefined}>
      <div className={classes.column}>{content}</div>
      {isWide && <StartMap kind={device?.kind ?? kind ?? 'dog'} />}
    </div>
  )
  if (device && step === 'phone')
    return page(
      <Step of={3} title={t('start.connect')} lead={t('start.connectLead')}>
        <PhoneStep device={device} />
      </Step>,
    )
  if (step === 'many')
    return page(
      <Step of={2} title={t('start.many.title')} lead={t('start.many.lead')} back={t('start.what')}>
        <Suspense>
          <ManyStep devices={devices} />
        </Suspense>
      </Step>,
    )
  if (kind && step === 'report')
    return page(
      <Step of={2} title={t('start.how')} lead={t('start.howLead')} back={t(`kinds.${kind}`)}>
        <ReportStep kind={kind} />
      </Step>,
    )
  return page(
    <Step of={1} title={t('start.what')} lead={t('start.whatLead')}>
      <FailedInvoice />
      <KindStep />
      <UnconfirmedAddress />
    </Step>,
  )
}

/** Shown by the list of trackers as well. */
function UnconfirmedAddress() {
  const { t } = useTranslation()
  const account = useQuery(sessionQuery()).data
  if (account?.email_confirmed !== false) return null
  return (
    <p role="status" className={classes.note}>
      <Link to="/account_email">{t('home.unconfirmed')}</Link>
    </p>
  )
}

const STEPS = [1, 2, 3] as const

type StepProps = { of: (typeof STEPS)[number]; title: string; lead: string; back?: string; children: ReactNode }

function Step({ of, title, lead, back, children }: StepProps) {
  const { t } = useTranslation()
  const heading = useRef<HTMLHeadingElement>(null)
  // The link that led here is gone, and with it the focus.
  useEffect(() => {
    if (of > 1) heading.current?.focus({ preventScroll: true })
  }, [of])
  return (
    <>
      <header className={classes.head}>
        {back && (
          <Link to="/?start=kind" className={classes.back}>
            <IconChevronLeft size={18} aria-hidden="true" />
            {back}
          </Link>
        )}
        <span className={classes.steps} role="img" aria-label={t('start.step', { n: of, of: STEPS.length })}>
          {STEPS.map((step) => (
            <i key={step} data-on={step <= of || undefined} />
          ))}
        </span>
        {of < 3 && (
          <Link to="/" className={classes.later} onClick={() => tabStorage.set('startPutOff', 'yes')}>
            {t('action.later')}
          </Link>
        )}
      </header>
      <h1 ref={heading} tabIndex={-1} className={classes.title}>
        {title}
      </h1>
      <p className={classes.lead}>{lead}</p>
      {children}
    </>
  )
}

/** The most frequent kinds first. */
const KIND_ORDER = ['dog', 'cat', 'person', 'bike', 'vehicle', 'plane', 'other'] as const satisfies readonly ListedKind[]

/** One tile for each kind. A tap on one leads on, so there is no other button. */
function KindStep() {
  const { t } = useTranslation()
  return (
    <>
      <ul className={classes.tiles}>
        {KIND_ORDER.map((kind) => (
          <li key={kind}>
            <Link to={`/?start=report&kind=${kind}`} className={classes.tile}>
              <KindDisc of={{ kind }} size={52} />
              <span>
                <b>{kind === 'other' ? t('start.other') : t(`kinds.${kind}`)}</b>
                <small>{t(`start.hint.${kind}`)}</small>
              </span>
            </Link>
          </li>
        ))}
      </ul>
      <Button component={Link} to="/?start=many" variant="default" h={52} mt={24} leftSection={<IconListNumbers size={18} />}>
        {t('start.ten')}
      </Button>
      <p className={classes.note}>{t('start.tenLead')}</p>
    </>
  )
}

/** Shows how to connect the phone, until its first position arrives and the map opens. */
function PhoneStep({ device }: { device: Device }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [made, setMade] = useMadeKey(device.id)
  const page = `/trackers/${encodeURIComponent(device.id)}`
  const hasPosition = device.tracker_status.last_position !== null
  useEffect(() => {
    if (!hasPosition) return
    setMade(null)
    void navigate(page, { replace: true })
  })
  // The server shows a key only once, and a reload forgets it.
  if (!made)
    return (
      <Button component={Link} to={`${page}?sheet=phones`} h={44}>
        {t('start.again')}
      </Button>
    )
  return (
    <div className={classes.setup}>
      <PhoneSetup made={made} device={device} onDone={() => void navigate(page, { replace: true })} />
    </div>
  )
}
