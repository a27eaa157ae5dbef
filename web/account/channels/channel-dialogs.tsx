import { Button } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { CHANNEL_KINDS, type Channel, type ChannelKind, MAX_CHANNELS, NewChannel } from '#contracts/accounts/channels.ts'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { Text } from '#contracts/rules/reading/text-fields.ts'
import { copyText } from '#web/lib/copy-text.ts'
import { showToast } from '#web/lib/toasts.ts'
import { useRecentSignIn } from '#web/signed-in/recent-sign-in/use-recent-sign-in.tsx'
import disclosure from '#web/ui/disclosure.module.css'
import { RequiredLegend, TextField } from '#web/ui/form/fields.tsx'
import { SegmentedControl } from '#web/ui/form/segmented-control.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import classes from './channels.module.css'
import { channelsApi, channelsQuery } from './channels.queries.ts'
import { useAlertChoice } from './choose-alerts.tsx'

type Created = Channel & { secret: string | null }

/** The same in every language. */
export const KIND_NAMES: Record<ChannelKind, string> = { webhook: 'Webhook', telegram: 'Telegram', ntfy: 'ntfy' }

/** Which fields a kind needs, the server knows best. */
const Form = z.object({
  label: Text(1, TEXT_LENGTH.keyLabel),
  url: NewChannel.shape.url,
  token: z.optional(z.string()),
  chat: z.optional(z.string()),
})

type NewProps = {
  /** Whether the backend can send only chosen alerts. */
  mayChoose: boolean
  onCreated: (created: Created) => void
  onClose: () => void
}

export function NewChannelDialog({ mayChoose, onCreated, onClose }: NewProps) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { confirmed, dialog } = useRecentSignIn()
  const [kind, setKind] = useState<ChannelKind>('webhook')
  const { fields, choice } = useAlertChoice()
  const form = useForm({
    schema: Form,
    submit: async ({ label, url, token, chat }) => {
      const { devices, kinds } = choice
      const about = { ...(devices && { devices }), ...(kinds && { kinds }) }
      const body = { kind, label, ...(url && { url }), ...(token && { token }), ...(chat && { chat }), ...about }
      const created = await confirmed((options) => channelsApi.create({ body }, options))
      await queries.invalidateQueries(channelsQuery())
      onCreated(created)
    },
    words: {
      url: t(kind === 'ntfy' ? 'account.channels.wrong.topic' : 'account.channels.wrong.url'),
      token: t('account.channels.wrong.token'),
      chat: t('account.channels.wrong.chat'),
    },
    failure: ({ code }) => (code === 'limit_reached' ? t('account.channels.full', { n: MAX_CHANNELS }) : undefined),
  })
  return (
    <>
      <FormDialog title={t('account.channels.add')} of={form} action={t('account.channels.create')} onClose={onClose}>
        <SegmentedControl
          label={t('account.channels.way')}
          value={kind}
          onChange={setKind}
          options={CHANNEL_KINDS.map((value) => ({ value, label: KIND_NAMES[value] }))}
        />
        <p className={classes.lead}>{t(`account.channels.about.${kind}`)}</p>
        <TextField
          {...form.field('label')}
          required
          maxLength={TEXT_LENGTH.keyLabel}
          autoComplete="off"
          label={t('account.channels.name')}
        />
        {kind !== 'telegram' && (
          <TextField
            key={`url ${kind}`}
            {...form.field('url')}
            required
            type="url"
            inputMode="url"
            autoComplete="off"
            label={t(kind === 'ntfy' ? 'account.channels.topic' : 'account.channels.url')}
            placeholder={kind === 'ntfy' ? 'https://ntfy.sh/…' : 'https://…'}
          />
        )}
        {kind !== 'webhook' && (
          <TextField
            key={`token ${kind}`}
            {...form.field('token')}
            required={kind === 'telegram'}
            autoComplete="off"
            spellCheck={false}
            label={t(kind === 'telegram' ? 'account.channels.botToken' : 'account.channels.accessToken')}
          />
        )}
        {kind === 'telegram' && <TextField {...form.field('chat')} required autoComplete="off" label={t('account.channels.chat')} />}
        <RequiredLegend />
        {mayChoose && (
          <details className={disclosure.disclosure}>
            <summary>
              {t('account.channels.choice.action')}
              <IconChevronDown size={16} aria-hidden="true" />
            </summary>
            <div className={classes.choice}>
              <p className={classes.lead}>{t('account.channels.choice.lead')}</p>
              {fields}
            </div>
          </details>
        )}
      </FormDialog>
      {dialog}
    </>
  )
}

const CodeForm = z.object({ code: z.string().check(z.trim(), z.regex(/^\d{6}$/)) })

/** Asks for the code that was sent to the channel; for a new webhook it also shows the secret, which nobody can see later. */
export function CodeDialog({ channel, secret, onClose }: { channel: Channel; secret: string | null; onClose: () => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { id, target } = channel
  const resend = useMutation({
    mutationFn: () => channelsApi.test({ params: { id } }),
    onSuccess: () => showToast(t('account.channels.codeSent', { target })),
  })
  const form = useForm({
    schema: CodeForm,
    submit: async ({ code }) => {
      await channelsApi.verify({ params: { id }, body: { code } })
      await queries.invalidateQueries(channelsQuery())
      showToast(t('account.channels.started'))
      onClose()
    },
    failure: ({ code }) => {
      if (code === 'invalid_code') return t('account.channels.wrongCode')
      return code === 'expired' ? t('account.channels.codeOver') : undefined
    },
  })
  return (
    <FormDialog
      title={t('account.channels.enterCode')}
      lead={t('account.channels.codeSent', { target })}
      of={form}
      action={t('account.channels.start')}
      onClose={onClose}
    >
      {secret && <Secret secret={secret} />}
      <TextField
        {...form.field('code')}
        required
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={6}
        label={t('account.channels.code')}
      />
      <Button variant="default" h={44} className={classes.add ?? ''} loading={resend.isPending} onClick={() => resend.mutate()}>
        {t('account.channels.resend')}
      </Button>
    </FormDialog>
  )
}

function Secret({ secret }: { secret: string }) {
  const { t } = useTranslation()
  const [isCopied, setCopied] = useState(false)
  return (
    <section className={classes.secret} aria-label={t('account.channels.secret')}>
      <p>{t('account.channels.secretLead')}</p>
      <code>{secret}</code>
      <div className={classes.actions}>
        <Button variant="default" h={44} onClick={() => void copyText(secret).then(setCopied)}>
          {t('account.channels.copy')}
        </Button>
        <span role="status">{isCopied && t('links.copied')}</span>
      </div>
    </section>
  )
}
