import { Button } from '@mantine/core'
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Channel, type ChannelKind, type DeliveryFailure, MAX_CHANNELS } from '#contracts/accounts/channels.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { showToast } from '#web/lib/toasts.ts'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { CodeDialog, KIND_NAMES, NewChannelDialog } from './channel-dialogs.tsx'
import classes from './channels.module.css'
import { channelsApi, channelsQuery } from './channels.queries.ts'
import { ChooseAlertsDialog, ChosenAlerts } from './choose-alerts.tsx'

/** Webhooks, Telegram and ntfy: the user's own ways to be told of alerts. */
export function Channels() {
  const { t } = useTranslation()
  const { data: channels } = useSuspenseQuery(channelsQuery())
  const [isAdding, setAdding] = useState(false)
  const [verifying, setVerifying] = useState<{ channel: Channel; secret: string | null } | null>(null)
  const [choosing, setChoosing] = useState<Channel | null>(null)
  const [removing, setRemoving] = useState<Channel | null>(null)
  return (
    <>
      <p className={classes.lead}>{t('account.channels.lead')}</p>
      {channels.length > 0 && (
        <ul className={classes.rows}>
          {channels.map((channel) => (
            <ChannelRow
              key={channel.id}
              channel={channel}
              onVerify={() => setVerifying({ channel, secret: null })}
              onChoose={() => setChoosing(channel)}
              onRemove={() => setRemoving(channel)}
            />
          ))}
        </ul>
      )}
      {channels.length < MAX_CHANNELS ? (
        <Button variant="default" h={44} className={classes.add ?? ''} onClick={() => setAdding(true)}>
          {t('account.channels.add')}
        </Button>
      ) : (
        <p className={classes.lead}>{t('account.channels.full', { n: MAX_CHANNELS })}</p>
      )}
      {isAdding && (
        <NewChannelDialog
          mayChoose={channels.every(({ devices }) => devices !== undefined)}
          onCreated={({ secret, ...channel }) => {
            setAdding(false)
            setVerifying({ channel, secret })
          }}
          onClose={() => setAdding(false)}
        />
      )}
      {verifying && <CodeDialog {...verifying} onClose={() => setVerifying(null)} />}
      {choosing && <ChooseAlertsDialog channel={choosing} onClose={() => setChoosing(null)} />}
      {removing && <RemoveDialog channel={removing} onClose={() => setRemoving(null)} />}
    </>
  )
}

type RowProps = { channel: Channel; onVerify: () => void; onChoose: () => void; onRemove: () => void }

function ChannelRow({ channel, onVerify, onChoose, onRemove }: RowProps) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { id, label, kind, target, verified_at, stopped } = channel
  const settle = () => queries.invalidateQueries(channelsQuery())
  const test = useMutation({
    mutationFn: () => channelsApi.test({ params: { id } }),
    onSuccess: () => showToast(t('account.channels.testSent', { name: label })),
    onSettled: settle,
  })
  const change = useMutation({ mutationFn: (on: boolean) => channelsApi.change({ params: { id }, body: { on } }), onSettled: settle })
  const isBusy = test.isPending || change.isPending
  const failure = (test.error ?? change.error) as { code?: string } | null
  return (
    <li>
      <div className={classes.about}>
        <strong>{label}</strong>
        <small>
          {KIND_NAMES[kind as ChannelKind] ?? kind} · {target}
        </small>
        <State channel={channel} />
        <ChosenAlerts channel={channel} />
        <FormAlert>{failure && t(failure.code === 'throttled' ? 'account.channels.tooOften' : 'error.general')}</FormAlert>
      </div>
      <div className={classes.actions}>
        {verified_at === null ? (
          <Button h={44} onClick={onVerify}>
            {t('account.channels.enterCode')}
          </Button>
        ) : (
          <>
            {!stopped && (
              <Button variant="default" h={44} loading={isBusy} onClick={() => test.mutate()}>
                {t('account.push.test')}
              </Button>
            )}
            <Button variant="default" h={44} loading={isBusy} onClick={() => change.mutate(stopped !== null)}>
              {t(stopped ? 'account.channels.on' : 'account.channels.off')}
            </Button>
          </>
        )}
        {channel.devices !== undefined && (
          <Button variant="default" h={44} aria-label={t('account.channels.choice.title', { name: label })} onClick={onChoose}>
            {t('account.channels.choice.action')}
          </Button>
        )}
        <Button variant="default" h={44} aria-label={t('account.channels.removeOf', { name: label })} onClick={onRemove}>
          {t('account.channels.remove')}
        </Button>
      </div>
    </li>
  )
}

/** Whether alerts arrive there, and what became of the last one. */
function State({ channel: { verified_at, stopped, failing_since, last } }: { channel: Channel }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const words = useFailureWords()
  if (verified_at === null) return <small data-state="warn">{t('account.channels.unverified')}</small>
  if (stopped) {
    const reason = t(`account.channels.stopped.${stopped.reason}`, { defaultValue: t('account.channels.stopped.user') })
    return <small data-state={stopped.reason === 'user' ? undefined : 'warn'}>{reason}</small>
  }
  if (failing_since)
    return (
      <small data-state="warn">
        {t('account.channels.failing', { time: formats.dateTime(failing_since) })}
        {last?.failure && ` ${words(last.failure)}`}
      </small>
    )
  return (
    <small data-state="ok">{last ? t('account.channels.arrived', { time: formats.dateTime(last.at) }) : t('account.channels.ready')}</small>
  )
}

function useFailureWords() {
  const { t } = useTranslation()
  return ({ reason, status }: DeliveryFailure) =>
    t(`account.channels.failure.${reason}`, { status: status ?? '', defaultValue: t('account.channels.failure.unreachable') })
}

function RemoveDialog({ channel: { id, label }, onClose }: { channel: Channel; onClose: () => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const remove = async () => {
    // Another tab may have removed it already.
    await channelsApi.remove({ params: { id } }).catch((error) => {
      if (error.status !== 404) throw error
    })
    await queries.invalidateQueries(channelsQuery())
  }
  return (
    <ConfirmDialog
      title={t('account.channels.removeOf', { name: label })}
      action={t('account.channels.remove')}
      isDanger
      onConfirm={remove}
      onClose={onClose}
    >
      {t('account.channels.removeLead')}
    </ConfirmDialog>
  )
}
