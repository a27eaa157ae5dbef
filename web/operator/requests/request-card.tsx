import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import type { OwnerRequest } from '#contracts/operator/requests.ts'
import { UNLINK_REASONS } from '#contracts/trackers/conflicts.ts'
import { useNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { useMayHelp } from '#web/operator/session/use-may-help.ts'
import { Badge } from '#web/ui/badge.tsx'
import { AcceptDialog, type Move, namesOf, pauseWords, RefuseDialog } from './request-dialogs.tsx'
import classes from './requests.module.css'

/** One request with what speaks for both sides, and the decision. */
export function RequestCard({ request }: { request: OwnerRequest }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const now = useNow()
  const mayHelp = useMayHelp()
  const [open, setOpen] = useState<'accept' | 'refuse' | null>(null)
  const { reference, identifier, created_at, status, message, holder, move, pause } = request
  const reason = pickListed(UNLINK_REASONS, request.reason, 'other')
  const close = () => setOpen(null)
  return (
    <article className={classes.card} aria-label={reference}>
      <p className={classes.meta}>
        <code>{reference}</code>
        <time dateTime={created_at}>{formats.age(created_at, now)}</time>
      </p>
      <h3>
        {move
          ? t('operator.requests.wantsMove', namesOf(move))
          : pause
            ? t('operator.requests.wantsPause', pauseWords(pause, formats))
            : t('operator.requests.wants', { identifier })}
      </h3>
      <dl className={classes.facts}>
        <Fact name={t('operator.requests.asks')}>
          <Requester request={request} />
          <small>
            {move
              ? t('operator.requests.ownMoves', { number: move.own_moves })
              : pause
                ? t('operator.requests.ownPauses', { number: pause.own_pauses })
                : t(`operator.requests.reasons.${reason}`)}
          </small>
        </Fact>
        {move ? (
          <>
            <Fact name={t('operator.requests.hasPlan')}>
              <MovedTracker tracker={move.from} />
            </Fact>
            <Fact name={t('operator.requests.getsPlan')}>
              <MovedTracker tracker={move.to} />
            </Fact>
          </>
        ) : pause ? (
          <Fact name={t('operator.requests.hasPlan')}>
            <MovedTracker tracker={pause.tracker} />
          </Fact>
        ) : (
          <>
            <Fact name={t('operator.requests.has')}>
              <Holder holder={holder} />
            </Fact>
            <Fact name={t('operator.requests.proof')}>
              <Bought request={request} />
            </Fact>
          </>
        )}
      </dl>
      {message && <blockquote>{message}</blockquote>}
      {status !== 'pending' && <Decision request={request} />}
      {status === 'pending' && mayHelp && (
        <div className={classes.actions}>
          <Button h={44} onClick={() => setOpen('accept')}>
            {t(pause ? 'operator.requests.acceptPause' : move ? 'operator.requests.acceptMove' : 'operator.requests.accept')}
          </Button>
          <Button h={44} variant="default" onClick={() => setOpen('refuse')}>
            {t('operator.requests.refuse')}
          </Button>
        </div>
      )}
      {open === 'accept' && <AcceptDialog request={request} onClose={close} />}
      {open === 'refuse' && <RefuseDialog request={request} onClose={close} />}
    </article>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

function MovedTracker({ tracker }: { tracker: Move['from'] }) {
  const { t } = useTranslation()
  if (!tracker) return t('operator.requests.gone')
  return (
    <>
      {tracker.name}
      {tracker.identifier && <small>{tracker.identifier}</small>}
    </>
  )
}

function Requester({ request: { requester, email } }: { request: OwnerRequest }) {
  return requester ? <Link to={`/operator/customers/${requester.account}`}>{requester.name || requester.email}</Link> : email
}

function Holder({ holder }: Pick<OwnerRequest, 'holder'>) {
  const { t } = useTranslation()
  const formats = useFormats()
  if (!holder) return t('operator.requests.nobody')
  return (
    <>
      <Link to={`/operator/customers/${holder.account}`}>{holder.email}</Link>
      <small>{t('operator.requests.since', { date: formats.date(holder.since) })}</small>
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
      <small>{t(in_stock ? 'operator.requests.inStock' : 'operator.requests.notInStock')}</small>
    </>
  )
}

function Decision({ request: { status, decided_at, decided_by, refusal } }: { request: OwnerRequest }) {
  const { t } = useTranslation()
  const formats = useFormats()
  return (
    <p className={classes.decision}>
      <Badge tone={status === 'accepted' ? 'good' : 'plain'}>
        {t(`operator.requests.states.${status === 'accepted' ? 'accepted' : 'refused'}`)}
      </Badge>
      {[decided_by, decided_at && formats.dateTime(decided_at)].filter(Boolean).join(', ')}
      {refusal && <span>{refusal}</span>}
    </p>
  )
}
