import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { computeMotion } from '#contracts/rules/history/motion.ts'
import { EVENT_TYPES } from '#contracts/rules/tracking/reporting.ts'
import { displayType } from '#contracts/rules/tracking/tracker.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { BatteryGlyph } from '#web/trackers/parts/battery-glyph.tsx'
import { KindDisc } from '#web/trackers/parts/kind-icon.tsx'
import { StateDot } from '#web/trackers/parts/state-dot.tsx'
import { TagChip } from '#web/trackers/parts/tag-chip.tsx'
import { trackerState } from '#web/trackers/state.ts'
import { addressWords, stateWords, subscriptionFact } from '#web/trackers/tracker-words.ts'
import classes from './trackers.module.css'

const HOURS_A_DAY = 24

/** The days of a stationary period that is shown in hours, such as "9 days" next to 216 hours; undefined below two days. */
function longStay(language: string, { tracker_status }: Device, now: Date) {
  const motion = computeMotion(tracker_status.stationary_since, now)
  if (motion.state !== 'stationary' || motion.unit !== 'hours' || motion.n < 2 * HOURS_A_DAY) return undefined
  const days = new Intl.NumberFormat(language, { style: 'unit', unit: 'day', unitDisplay: 'long', maximumFractionDigits: 0 })
  return days.format(motion.n / HOURS_A_DAY)
}

/** The cells of one tracker in the table, or in its card on a phone; the whole row links to the tracker's page. */
export const TrackerLine = memo(function TrackerLine({ device, now, owner }: { device: Device; now: Date; owner?: string | undefined }) {
  const { t, i18n } = useTranslation()
  const formats = useFormats()
  const { last_event } = device.tracker_status
  const event = EVENT_TYPES.find((type) => type === last_event?.type)
  const subscription = subscriptionFact(t, formats, device, now)
  const state = stateWords(t, device, now)
  const hasDate = subscription.label !== t('tracker.subscription')
  return (
    <>
      <th scope="row">
        <span className={classes.who}>
          <KindDisc of={device} />
          <span className={classes.two}>
            <Link to={`/trackers/${encodeURIComponent(device.id)}`}>{device.name}</Link>
            <small title={owner}>{owner ?? t(`types.${displayType(device)}`)}</small>
          </span>
        </span>
      </th>
      <td>
        <span className={classes.two}>
          <span className={classes.state} title={longStay(i18n.language, device, now)}>
            <StateDot state={trackerState(device, now)} />
            {state}
          </span>
          <small title={addressWords(device) || undefined}>{addressWords(device)}</small>
        </span>
      </td>
      <td>
        <BatteryGlyph device={device} />
      </td>
      <td>
        {last_event && (
          <span className={classes.two}>
            <span>{event ? t(`events.${event}`) : last_event.type}</span>
            <small>{formats.age(last_event.datetime, now)}</small>
          </span>
        )}
      </td>
      <td className={subscription.value === state ? classes.said : undefined}>
        <span className={classes.two}>
          <span>{hasDate ? subscription.label : subscription.value}</span>
          {hasDate && <small>{subscription.value}</small>}
        </span>
      </td>
      <td>{device.tag && <TagChip tag={device.tag} />}</td>
    </>
  )
})
