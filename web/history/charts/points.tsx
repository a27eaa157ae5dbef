import { IconChevronDown } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fixAt } from '#contracts/rules/history/fixes.ts'
import { batteryDisplay, type DeviceType } from '#contracts/rules/tracking/tracker.ts'
import { addressAt } from '#contracts/track/columns.ts'
import { heightAt, speedAt } from '#web/history/track/measured.ts'
import { levelAt, type Track } from '#web/history/track/track.ts'
import { isOneDay, shortAddress, timeWords } from '#web/history/track/track-words.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { batteryWords } from '#web/lib/i18n/words.ts'
import type { Bounds } from '#web/lib/period.ts'
import disclosure from '#web/ui/disclosure.module.css'
import classes from './points.module.css'

const PAGE_SIZE = 100

/** Every position in order of time as a table, the text alternative to map and charts. */
export function Points({ type, track, bounds }: { type: DeviceType; track: Track; bounds: Bounds }) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <details className={`${disclosure.disclosure} ${classes.points}`} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {t('history.points.show', { count: track.positions.length })}
        <IconChevronDown size={16} aria-hidden="true" />
      </summary>
      {isOpen && <PointsTable type={type} track={track} bounds={bounds} />}
    </details>
  )
}

function PointsTable({ type, track, bounds }: { type: DeviceType; track: Track; bounds: Bounds }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const [shown, setShown] = useState(PAGE_SIZE)
  const hasHeights = track.positions.altitude.some((meters) => !Number.isNaN(meters))
  return (
    <>
      <table className={classes.table} data-days={!isOneDay(bounds) || undefined} data-heights={hasHeights || undefined}>
        <thead>
          <tr>
            <th>{t('history.points.time')}</th>
            <th>{t('history.points.place')}</th>
            <th>{t('history.chart.speed')}</th>
            {hasHeights && <th>{t('history.chart.height')}</th>}
            <th>{t('battery.label')}</th>
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: Math.min(shown, track.positions.length) }, (_, index) => {
            const [{ datetime, lat, lng }, address] = [fixAt(track.positions, index), addressAt(track.positions, index)]
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: positions are only appended
              <tr key={index}>
                <td>{timeWords(formats, datetime, bounds)}</td>
                <td title={address ?? undefined}>{shortAddress(address) ?? `${lat.toFixed(5)}, ${lng.toFixed(5)}`}</td>
                <td>{formats.speed(speedAt(track, index))}</td>
                {hasHeights && <td>{formats.meters(heightAt(track.positions, index))}</td>}
                <td>{batteryWords(t, batteryDisplay(type, levelAt(track, index)))}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {shown < track.positions.length && (
        <button type="button" className={classes.more} onClick={() => setShown(shown + PAGE_SIZE)}>
          {t('history.points.more')}
        </button>
      )}
    </>
  )
}
