import { Button } from '@mantine/core'
import type { TFunction } from 'i18next'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { type OwnerRequest, REQUEST_STATUSES } from '#contracts/operator/requests.ts'
import { UNLINK_REASONS } from '#contracts/trackers/conflicts.ts'
import { useNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { useMayHelp } from '#web/operator/session/use-may-help.ts'
import { Badges, Buttons, type Fact, Facts, Note } from '#web/operator/workbench/workbench.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { AcceptDialog, type Move, namesOf, pauseWords, RefuseDialog } from './request-dialogs.tsx'
import classes from './requests.module.css'

/** Returns the sentence of what a request wants. */
export function useWish() {
  const { t } = useTranslation()
  const formats = useFormats()
  return ({ identifier, move, pause }: OwnerRequest) =>
    move
      ? t('operator.requests.wantsMove', namesOf(move))
      : pause
        ? t('operator.requests.wantsPause', pauseWords(pause, formats))
        : t('operator.requests.wants', { identifier })
}

/** A request next to other things. */
export function RequestCard({ request }: { request: OwnerRequest }) {
  const wish = useWish()
  return (
    <article className={classes.card} aria-label={request.reference}>
      <h3>{wish(request)}</h3>
      <RequestBody request={request} />
    </article>
  )
}

type BodyProps = { request: OwnerRequest; onDecided?: () => void }

/** What speaks for both sides of a request, and the decision. */
export function RequestBody({ request, onDecided = () => undefined }: BodyProps) {
  const { t } = useTranslation()
  const formats = useFormats()
  const now = useNow()
  const mayHelp = useMayHelp()
  const [open, setOpen] = useState<'accept' | 'refuse' | null>(null)
  const { created_at, status, message, move, pause } = request
  const close = () => setOpen(null)
  return (
    <>
      <Decision request={request} />
      <Facts
        facts={[
          [t('operator.requests.one'), request.reference],
          [t('operator.requests.asks'), <Requester key="asks" request={request} />],
          [
            t('operator.customer.date'),
            <time key="date" dateTime={created_at}>
              {formats.dateTime(created_at)}
              <More>{formats.age(created_at, now)}</More>
            </time>,
          ],
          ...listSides(t, request),
        ]}
      />
      {message && <blockquote className={classes.message}>{message}</blockquote>}
      {status === 'pending' && mayHelp && (
        <Buttons>
          <Button h={44} onClick={() => setOpen('accept')}>
            {t(pause ? 'operator.requests.acceptPause' : move ? 'operator.requests.acceptMove' : 'operator.requests.accept')}
          </Button>
          <Button h={44} variant="default" onClick={() => setOpen('refuse')}>
            {t('operator.requests.refuse')}
          </Button>
        </Buttons>
      )}
      {open === 'accept' && <AcceptDialog request={request} onDecided={onDecided} onClose={close} />}
      {open === 'refuse' && <RefuseDialog request={request} onDecided={onDecided} onClose={close} />}
    </>
  )
}

/** Both trackers of a plan, or both sides of a request for a tracker. */
function listSides(t: TFunction, request: OwnerRequest): Fact[] {
  const { move, pause, holder } = request
  if (move)
    return [
      [t('operator.requests.hasPlan'), <MovedTracker key="from" tracker={move.from} />],
      [t('operator.requests.getsPlan'), <MovedTracker key="to" tracker={move.to} />],
    ]
  if (pause) return [[t('operator.requests.hasPlan'), <MovedTracker key="tracker" tracker={pause.tracker} />]]
  return [
    [t('operator.requests.has'), <Holder key="holder" holder={holder} />],
    [t('operator.requests.proof'), <Bought key="bought" request={request} />],
  ]
}

const More = ({ children }: { children: ReactNode }) => <small className={classes.more}>{children}</small>

function MovedTracker({ tracker }: { tracker: Move['from'] }) {
  const { t } = useTranslation()
  if (!tracker) return t('operator.requests.gone')
  return (
    <>
      {tracker.name}
      {tracker.identifier && <More>{tracker.identifier}</More>}
    </>
  )
}

function Requester({ request: { requester, email, reason, move, pause } }: { request: OwnerRequest }) {
  const { t } = useTranslation()
  const known = pickListed(UNLINK_REASONS, reason, 'other')
  return (
    <>
      {requester ? <Link to={`/operator/customers/${requester.account}`}>{requester.name || requester.email}</Link> : email}
      <More>
        {move
          ? t('operator.requests.ownMoves', { number: move.own_moves })
          : pause
            ? t('operator.requests.ownPauses', { number: pause.own_pauses })
            : t(`operator.requests.reasons.${known}`)}
      </More>
    </>
  )
}

function Holder({ holder }: Pick<OwnerRequest, 'holder'>) {
  const { t } = useTranslation()
  const formats = useFormats()
  if (!holder) return t('operator.requests.nobody')
  return (
    <>
      <Link to={`/operator/customers/${holder.account}`}>{holder.email}</Link>
      <More>{t('operator.requests.since', { date: formats.date(holder.since) })}</More>
      <span className={classes.badges}>
        <Badge tone={holder.proven ? 'good' : 'warn'}>{t(`operator.requests.${holder.proven ? 'proven' : 'unproven'}`)}</Badge>
        {holder.sub_state === 'active' && <Badge tone="good">{t('operator.requests.subscribed')}</Badge>}
        {holder.reported_missing && <Badge tone="bad">{t('operator.customer.missing')}</Badge>}
      </span>
    </>
  )
}

function Bought({ request: { purchase_date, purchase_place, order_reference, in_stock } }: { request: OwnerRequest }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const bought = [purchase_place, purchase_date && formats.date(purchase_date), order_reference].filter(Boolean)
  return (
    <>
      {bought.length > 0 ? bought.join(', ') : '–'}
      <More>{t(in_stock ? 'operator.requests.inStock' : 'operator.requests.notInStock')}</More>
    </>
  )
}

const TONES = { pending: 'warn', accepted: 'good', refused: 'plain', withdrawn: 'plain' } as const

/** The state, who has decided it and when, and the reason of a refusal. */
function Decision({ request: { status, decided_at, decided_by, refusal } }: { request: OwnerRequest }) {
  const { t } = useTranslation()
  const known = pickListed(REQUEST_STATUSES, status, null)
  const formats = useFormats()
  const decided = [decided_by, decided_at && formats.dateTime(decided_at)].filter(Boolean).join(', ')
  return (
    <>
      <Badges>{known ? <Badge tone={TONES[known]}>{t(`operator.requests.states.${known}`)}</Badge> : <Badge>{status}</Badge>}</Badges>
      {decided && <Note>{decided}</Note>}
      {refusal && <Note>{refusal}</Note>}
    </>
  )
}
