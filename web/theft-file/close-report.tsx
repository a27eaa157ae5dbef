import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Device } from '#contracts/devices.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { calls } from './theft-file.calls.ts'
import { reportQuery } from './theft-file.queries.ts'

/** Confirms that the tracker was found. A report that was closed elsewhere is reloaded. */
export function CloseReport({ device: { id, name }, onClose }: { device: Device; onClose: () => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { queryKey } = reportQuery(id)
  const end = async () => {
    try {
      queries.setQueryData(queryKey, await calls.change({ params: { id }, body: { status: 'closed' } }))
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'no_report')) throw error
      await queries.invalidateQueries({ queryKey })
    }
  }
  return (
    <ConfirmDialog title={t('theft.found', { name })} action={t('theft.foundYes')} onConfirm={end} onClose={onClose}>
      {t('theft.foundLead')}
    </ConfirmDialog>
  )
}
