import { IconChevronDown } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { modeLabel } from '#contracts/rules/tracking/mode.ts'
import { EVENT_TYPES, stationaryWording } from '#contracts/rules/tracking/reporting.ts'
import { displayType, KINDS, OPERATORS } from '#contracts/rules/tracking/tracker.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { durationWords, modeWords, updateWords } from '#web/lib/i18n/words.ts'
import classes from './details.module.css'

export function Details({ device }: { device: Device }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const { tracker_config: config, tracker_status: status, operator, price } = device
  const event = EVENT_TYPES.find((type) => type === status.last_event?.type)
  const known = OPERATORS.find((name) => name === operator)
  const rows: [string, string | null | undefined][] = [
    [t('tracker.type'), t(`types.${displayType(device)}`)],
    [t('tracker.kind'), t(`kinds.${pickListed(KINDS, device.kind, 'other')}`)],
    [t('mode.label'), modeWords(t, modeLabel(config.mode))],
    [t('tracker.stationaryUpdates'), updateWords(t, stationaryWording(config.frequency_stationary))],
    [
      t('tracker.event'),
      status.last_event && `${event ? t(`events.${event}`) : status.last_event.type} · ${formats.dateTime(status.last_event.datetime)}`,
    ],
    [t('tracker.subscription'), price && price.months > 0 ? durationWords(t, price.months, price.extra) : null],
    [t('tracker.tag'), device.tag?.name],
    [t('tracker.operator'), known ? t(`operators.${known}`) : operator],
    [t('tracker.onlineSince'), device.online_since && formats.date(device.online_since)],
    [
      t('tracker.collarSince'),
      device.type === 'tracker_06' && device.active_collar_since ? formats.date(device.active_collar_since) : null,
    ],
    [t('tracker.identifier'), device.identifier && `${device.identifier.slice(0, 8)}-${device.identifier.slice(8)}`],
    [t('tracker.serial'), device.serial],
  ]
  return (
    <details className={classes.details}>
      <summary>
        {t('tracker.details')}
        <IconChevronDown size={16} aria-hidden="true" />
      </summary>
      <dl>
        {rows
          .filter(([, value]) => value)
          .map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
    </details>
  )
}
