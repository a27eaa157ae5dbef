import { IconChevronDown, IconFileImport } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { Suspense, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ExportFormat } from '#contracts/data.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import panel from '#web/history/panel.module.css'
import { exportFileName } from '#web/history/track/track-words.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { saveFile } from '#web/lib/api/download.ts'
import { lazy } from '#web/lib/chunk.ts'
import { useFeatures } from '#web/lib/other-backends/features.ts'
import { type Bounds, type Period, periodBounds } from '#web/lib/period.ts'
import { useHasRight } from '#web/signed-in/user.queries.ts'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { SegmentedControl } from '#web/ui/form/segmented-control.tsx'
import { dataApi } from './data.api.ts'
import classes from './data-tools.module.css'

const ImportDialog = lazy(() => import('./import-dialog.tsx'))

/** The formats besides plain csv, with their names, which are the same in all languages. */
const FORMATS: [ExportFormat, string][] = [
  ['gpx', 'GPX'],
  ['kml', 'KML'],
  ['geojson', 'GeoJSON'],
]

type Props = { device: Device; period: Period; trip: Bounds | null }

/** Exports in other formats, and the import, if the backend has them. */
export function DataTools({ device, period, trip }: Props) {
  const has = useFeatures()
  const mayChange = useHasRight('changeTrackers')
  return (
    <>
      {has('export') && <ExportFormats device={device} period={period} trip={trip} />}
      {has('import') && mayChange && <ImportButton device={device} />}
    </>
  )
}

function ExportFormats({ device, period, trip }: Props) {
  const { t } = useTranslation()
  const list = useId()
  const [isOpen, setOpen] = useState(false)
  const [range, setRange] = useState<'trip' | 'period'>('trip')
  const isTrip = trip !== null && range === 'trip'
  const { start, end } = isTrip ? trip : periodBounds(period)
  const exporting = useMutation({
    mutationFn: async (format: ExportFormat) => {
      const query = { format, not_before: new Date(start).toISOString(), not_after: new Date(end - (isTrip ? 0 : 1)).toISOString() }
      const bytes = await dataApi.export({ params: { id: device.id }, query })
      saveFile(bytes, exportFileName(device.name, period.from, period.to, format), 'application/octet-stream')
    },
  })
  const isShown = exporting.error && !(exporting.error instanceof ApiError && exporting.error.isLeaving)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the list from anywhere within
    <div className={classes.formats} onKeyDown={({ key }) => key === 'Escape' && setOpen(false)}>
      <button type="button" className={panel.button} aria-expanded={isOpen} aria-controls={list} onClick={() => setOpen(!isOpen)}>
        {t('history.data.formats')}
        <IconChevronDown size={18} aria-hidden="true" />
      </button>
      <div id={list} hidden={!isOpen} className={classes.list}>
        {trip && (
          <SegmentedControl
            label={t('history.data.period')}
            value={range}
            onChange={setRange}
            options={[
              { value: 'trip', label: t('history.data.trip') },
              { value: 'period', label: t('history.data.period') },
            ]}
          />
        )}
        <div className={classes.row}>
          {FORMATS.map(([format, name]) => (
            <button
              key={format}
              type="button"
              className={panel.button}
              disabled={exporting.isPending}
              onClick={() => exporting.mutate(format)}
            >
              {name}
            </button>
          ))}
        </div>
      </div>
      <FormAlert>{isShown ? t('error.general') : null}</FormAlert>
    </div>
  )
}

export function ImportButton({ device }: { device: Device }) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className={panel.button} onClick={() => setOpen(true)}>
        <IconFileImport size={18} aria-hidden="true" />
        {t('history.data.import')}
      </button>
      {isOpen && (
        <Suspense>
          <ImportDialog device={device} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
