import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { BOOST_INTERVAL_SECONDS } from '#contracts/rules/navigation.ts'
import { frequencyWording } from '#contracts/rules/tracking/reporting.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { runningBoostEnd } from '#web/home/dialogs/running-boost.ts'
import { useNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { updateWords } from '#web/lib/i18n/words.ts'
import { useFeatures } from '#web/lib/other-backends/features.ts'
import { useHasRight } from '#web/signed-in/user.queries.ts'
import { BatteryGlyph } from '#web/trackers/parts/battery-glyph.tsx'
import { subscriptionFact } from '#web/trackers/tracker-words.ts'
import { useToday } from './activity.tsx'
import classes from './facts.module.css'

export function Facts({ device }: { device: Device }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const now = useNow()
  const day = useToday(device.id)
  const has = useFeatures()
  const mayBuy = useHasRight('buy') && has('subscriptions')
  const subscription = subscriptionFact(t, formats, device, now)
  return (
    <div className={classes.facts}>
      <dl>
        <div>
          <dt>{t('battery.label')}</dt>
          <dd>
            <BatteryGlyph device={device} />
          </dd>
        </div>
        <div>
          <dt>{t('tracker.updates')}</dt>
          <dd>
            {runningBoostEnd(device.tracker_config, now)
              ? t('updates.everySeconds', { n: BOOST_INTERVAL_SECONDS })
              : updateWords(t, frequencyWording(device.tracker_config.frequency_moving))}
          </dd>
        </div>
      </dl>
      <dl>
        {has('history') && (
          <div>
            <dt>{t('tracker.today')}</dt>
            <dd data-later>{day ? formats.distance(day.meters) : '–'}</dd>
          </div>
        )}
        <div>
          <dt>{subscription.label}</dt>
          <dd>
            {mayBuy ? <Link to={`/subscription?devices=${encodeURIComponent(device.id)}`}>{subscription.value}</Link> : subscription.value}
          </dd>
        </div>
      </dl>
    </div>
  )
}
