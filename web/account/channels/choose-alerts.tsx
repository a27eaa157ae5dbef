import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import type { Channel } from '#contracts/accounts/channels.ts'
import { FIRING_KINDS } from '#contracts/rules/tracking/rules/firing-kinds.ts'
import { useLocale } from '#web/lib/i18n/use-formats.ts'
import { showToast } from '#web/lib/toasts.ts'
import { devicesQuery } from '#web/trackers/trackers.queries.tsx'
import { MultiChoice } from '#web/ui/form/multi-choice.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { channelsApi, channelsQuery } from './channels.queries.ts'

const orAll = <T,>(chosen: T[]) => (chosen.length > 0 ? chosen : null)

/** The lists of trackers and kinds of alerts, and what is chosen in them; nothing chosen in a list is all of it. */
export function useAlertChoice({ devices, kinds }: Pick<Channel, 'devices' | 'kinds'> = {}) {
  const { t } = useTranslation()
  const trackers = useQuery(devicesQuery()).data ?? []
  const [chosen, setChosen] = useState<number[]>(devices ?? [])
  const [ticked, setTicked] = useState(() => FIRING_KINDS.flatMap((kind, index) => (kinds?.includes(kind) ? index : [])))
  const fields = (
    <>
      <MultiChoice
        name="devices"
        legend={t('account.channels.choice.trackers')}
        options={trackers.map(({ id, name }) => ({ id, label: name }))}
        value={chosen}
        onChange={setChosen}
      />
      <MultiChoice
        name="kinds"
        legend={t('account.channels.choice.kinds')}
        options={FIRING_KINDS.map((kind, id) => ({ id, label: t(`fired.kinds.${kind}`) }))}
        value={ticked}
        onChange={setTicked}
      />
    </>
  )
  return { fields, choice: { devices: orAll(chosen), kinds: orAll(FIRING_KINDS.filter((_, index) => ticked.includes(index))) } }
}

export function ChooseAlertsDialog({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { fields, choice } = useAlertChoice(channel)
  const form = useForm({
    schema: z.object({}),
    async submit() {
      await channelsApi.change({ params: { id: channel.id }, body: choice })
      await queries.invalidateQueries(channelsQuery())
      showToast(t('form.saved'))
      onClose()
    },
  })
  return (
    <FormDialog
      title={t('account.channels.choice.title', { name: channel.label })}
      lead={t('account.channels.choice.lead')}
      of={form}
      onClose={onClose}
    >
      {fields}
    </FormDialog>
  )
}

/** "Only: Rex, Misty, Low battery"; nothing for a channel that gets all alerts. */
export function ChosenAlerts({ channel: { devices, kinds } }: { channel: Channel }) {
  const { t } = useTranslation()
  const locale = useLocale()
  const trackers = useQuery({ ...devicesQuery(), enabled: (devices ?? []).length > 0 }).data ?? []
  if (devices?.length === 0) return <small data-state="warn">{t('account.channels.choice.gone')}</small>
  const named = [
    ...trackers.filter(({ id }) => devices?.includes(id)).map(({ name }) => name),
    ...FIRING_KINDS.filter((kind) => kinds?.includes(kind)).map((kind) => t(`fired.kinds.${kind}`)),
  ]
  if (named.length === 0) return null
  const list = new Intl.ListFormat(locale, { type: 'unit', style: 'short' }).format(named)
  return <small>{t('account.channels.choice.only', { list })}</small>
}
