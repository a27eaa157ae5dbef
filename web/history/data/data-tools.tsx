import { useMutation } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ExportFormat } from '#contracts/data.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { exportFileName } from '#web/history/track/track-words.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { saveFile } from '#web/lib/api/download.ts'
import { useFeatures } from '#web/lib/other-backends/features.ts'
import { type Bounds, type Day, namedPeriods, type Period, periodBounds, toDay } from '#web/lib/period.ts'
import { useHasRight } from '#web/signed-in/user.queries.ts'
import { positionsApi } from '#web/trackers/trace/positions.api.ts'
import { Choices } from '#web/ui/form/choices.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { dataApi } from './data.api.ts'
import classes from './data-tools.module.css'
import { ImportButton } from './import-button.tsx'

/** Formats besides csv with their names, which are the same in all languages. The export as csv is a documented call of its own. */
const FORMATS: [ExportFormat, string][] = [
  ['gpx', 'GPX'],
  ['kml', 'KML'],
  ['geojson', 'GeoJSON'],
]

type Props = { device: Device; period: Period; trip: Bounds | null; today: Day }

/** Exports of the shown period, of the chosen trip or of a period by name, and the import, as far as the backend has them. */
export function DataTools({ device, period, trip, today }: Props) {
  const { t } = useTranslation()
  const has = useFeatures()
  const mayChange = useHasRight('changeTrackers')
  const ranges = listRanges({ period, trip, today })
  const [chosen, setChosen] = useState<string | null>(null)
  const range = ranges.find(({ name }) => name === chosen) ?? ranges[0]
  const formats: [ExportFormat | 'csv', string][] = [
    ...(has('exportCsv') ? [['csv', t('history.export')] as const] : []),
    ...(has('export') ? FORMATS : []),
  ].map(([format, name]) => [format, name])
  const exporting = useMutation({ mutationFn: (format: ExportFormat | 'csv') => exportPositions(device, format, range) })
  const isShown = exporting.error && !(exporting.error instanceof ApiError && exporting.error.isLeaving)
  return (
    <div className={classes.tools}>
      {formats.length > 0 && (
        <>
          <Choices
            legend={t('history.data.export')}
            name="range"
            choices={ranges.map(({ name }) => ({ value: name, label: rangeWords(t, name) }))}
            value={range.name}
            onChange={setChosen}
          />
          <div className={classes.row}>
            {formats.map(([format, name]) => (
              <button
                key={format}
                type="button"
                className={classes.button}
                disabled={exporting.isPending}
                onClick={() => exporting.mutate(format)}
              >
                {name}
              </button>
            ))}
          </div>
          <FormAlert>{isShown ? t('error.general') : null}</FormAlert>
        </>
      )}
      {has('import') && mayChange && <ImportButton device={device} />}
    </div>
  )
}

type RangeName = 'trip' | 'shown' | ReturnType<typeof namedPeriods>[number]['name']

/** An instant and the last one that belongs to the range, in ms, with the days that name the file. */
type Range = { name: RangeName; from: Day; to: Day; start: number; last: number }

/** What can be exported, the most likely first. */
function listRanges({ period, trip, today }: Omit<Props, 'device'>): [Range, ...Range[]] {
  const whole = (name: RangeName, { from, to }: Period): Range => {
    const { start, end } = periodBounds({ from, to })
    return { name, from, to, start, last: end - 1 }
  }
  const shown = whole('shown', period)
  const named = namedPeriods(today).map(({ name, ...days }) => whole(name, days))
  if (!trip) return [shown, ...named]
  return [
    { name: 'trip', from: toDay(new Date(trip.start)), to: toDay(new Date(trip.end)), start: trip.start, last: trip.end },
    shown,
    ...named,
  ]
}

function rangeWords(t: TFunction, name: RangeName) {
  if (name === 'trip' || name === 'shown') return t(`history.data.${name}`)
  return t(`history.pick.${name}`)
}

/** Downloads the positions of a range; without any the file is empty but valid. */
async function exportPositions({ id, name }: Device, format: ExportFormat | 'csv', { from, to, start, last }: Range) {
  const query = { not_before: new Date(start).toISOString(), not_after: new Date(last).toISOString() }
  const fileName = exportFileName(name, from, to, format)
  if (format === 'csv') return saveFile(await positionsApi.exportCsv({ params: { id }, query }), fileName, 'text/csv;charset=utf-8')
  return saveFile(await dataApi.export({ params: { id }, query: { format, ...query } }), fileName, 'application/octet-stream')
}
