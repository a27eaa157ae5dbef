import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Device } from '#contracts/trackers/devices.ts'
import { type Period, periodBounds } from '#web/history/track/period.ts'
import { exportFileName } from '#web/history/track/track-words.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { saveFile } from '#web/lib/api/download.ts'
import { positionsApi } from '#web/trackers/trace/positions.api.ts'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import classes from './export-button.module.css'

/** Downloads the positions of the period as CSV; an empty period gives only the header row. */
export function ExportButton({ device, period }: { device: Device; period: Period }) {
  const { t } = useTranslation()
  const exporting = useMutation({
    mutationFn: async () => {
      const { start, end } = periodBounds(period)
      const query = { not_before: new Date(start).toISOString(), not_after: new Date(end - 1).toISOString() }
      const bytes = await positionsApi.exportCsv({ params: { id: device.id }, query })
      saveFile(bytes, exportFileName(device.name, period.from, period.to), 'text/csv;charset=utf-8')
    },
  })
  const isShown = exporting.error && !(exporting.error instanceof ApiError && exporting.error.isLeaving)
  return (
    <div className={classes.foot}>
      <button type="button" className={classes.button} disabled={exporting.isPending} onClick={() => exporting.mutate()}>
        <IconDownload size={18} aria-hidden="true" />
        {t('history.export')}
      </button>
      <FormAlert>{isShown ? t('error.general') : null}</FormAlert>
    </div>
  )
}
