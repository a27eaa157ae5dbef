import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { BOOST_INTERVAL_SECONDS } from '#contracts/rules/navigation.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { Choices } from '#web/ui/form/choices.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { useBoost } from './use-boost.ts'

const MINUTES = ['5', '15', '30', '60']

/** Starts or ends a boost, during which the tracker reports its position every 30 seconds. */
export default function BoostDialog({ device, onClose }: { device: Device; onClose: () => void }) {
  const { t } = useTranslation()
  const [minutes, setMinutes] = useState('15')
  const { until, start, end } = useBoost(device)
  const formats = useFormats()
  const lead = t('boost.lead', { name: device.name, count: BOOST_INTERVAL_SECONDS })
  return (
    <Dialog sheet="boost" title={t('boost.heading')} lead={lead} onClose={onClose}>
      <FormAlert>{start.isError || end.isError ? t('error.general') : null}</FormAlert>
      {until ? (
        <>
          <p role="status">{t('boost.until', { time: formats.time(until) })}</p>
          <Button variant="default" h={44} loading={end.isPending} onClick={() => end.mutate()}>
            {t('boost.end')}
          </Button>
        </>
      ) : (
        <>
          <Choices
            legend={t('boost.duration')}
            name="minutes"
            value={minutes}
            onChange={setMinutes}
            choices={MINUTES.map((value) => ({ value, label: t('boost.minutes', { count: Number(value) }) }))}
          />
          <Button h={44} loading={start.isPending} onClick={() => start.mutate(Number(minutes))}>
            {t('boost.start')}
          </Button>
        </>
      )}
    </Dialog>
  )
}
