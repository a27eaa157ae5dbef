import { IconBolt } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { BOOST_INTERVAL_SECONDS } from '#contracts/rules/navigation.ts'
import { millis } from '#contracts/rules/time.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { useBoost } from '#web/home/dialogs/use-boost.ts'
import { useNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { useHasRight } from '#web/signed-in/user.queries.ts'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import classes from './boost-strip.module.css'

/** What a running boost does, how long it goes on, and a button that ends it. */
export function BoostStrip({ device }: { device: Device }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const now = useNow()
  const canEnd = useFeature('boost')
  const mayEnd = useHasRight('changeTrackers') && canEnd
  const { until, end } = useBoost(device)
  if (!until) return null
  const left = formats.duration(Math.max(60_000, millis(until) - now.getTime()))
  return (
    <>
      <div className={classes.strip}>
        <IconBolt size={18} aria-hidden="true" />
        <p role="status" title={t('boost.until', { time: formats.time(until) })}>
          {t('boost.running', { n: BOOST_INTERVAL_SECONDS })} · {t('boost.left', { time: left })}
        </p>
        {mayEnd && (
          <button type="button" disabled={end.isPending} onClick={() => end.mutate()}>
            {t('boost.end')}
          </button>
        )}
      </div>
      <FormAlert>{end.isError ? t('error.general') : null}</FormAlert>
    </>
  )
}
