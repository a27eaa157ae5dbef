import { Button } from '@mantine/core'
import { IconBellOff } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type NewSilence, silences } from '#contracts/accounts/silences.ts'
import type { AlertFiring } from '#contracts/firings.ts'
import { FIRING_KINDS } from '#contracts/rules/tracking/rules/firing-kinds.ts'
import { findNextMorning, useAccountZone } from '#web/alerts/silences/ends.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'
import { clock } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { showToast } from '#web/lib/toasts.ts'

const silencesApi = createClient(silences, clientPorts)

/** Buttons that mute alerts like this one for the user, for an hour or until morning. */
export function Snooze({ firing: { device, place, kind: sent } }: { firing: AlertFiring }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const queries = useQueryClient()
  const zone = useAccountZone()
  const refresh = () => void queries.invalidateQueries({ queryKey: ['silences'] })
  const { mutate, isPending } = useMutation({
    mutationFn: (time: Pick<NewSilence, 'hours' | 'until'>) => {
      const kind = FIRING_KINDS.find((each) => each === sent)
      return silencesApi.create({ body: { devices: [device], place, ...(kind && { kinds: [kind] }), ...time } })
    },
    onSuccess({ id, until }) {
      refresh()
      showToast(t('fired.snoozed', { time: formats.dateTime(until) }), () => {
        silencesApi.remove({ params: { id } }).then(refresh, () => showToast(t('error.load')))
      })
    },
    onError: () => showToast(t('error.load')),
  })
  return (
    <>
      <Button variant="default" h={44} loading={isPending} leftSection={<IconBellOff size={18} />} onClick={() => mutate({ hours: 1 })}>
        {t('fired.snoozeHour')}
      </Button>
      <Button
        variant="default"
        h={44}
        loading={isPending}
        leftSection={<IconBellOff size={18} />}
        onClick={() => mutate({ until: findNextMorning(clock.now(), zone).toISOString() })}
      >
        {t('fired.snoozeMorning')}
      </Button>
    </>
  )
}
