import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EVENT_TYPES, pickListed, THEFT_STATUSES } from '#contracts/lib/constants.ts'
import type { TheftReport } from '#contracts/theft.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import classes from './theft-file.module.css'
import { reportQuery, theftApi } from './theft-file.queries.ts'
import { listTheftEvents } from './theft-report.ts'

export function ReportView({ report, device, onEdit }: { report: TheftReport; device: Device; onEdit?: () => void }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const [isClosing, setClosing] = useState(false)
  const facts = [
    [t('theft.date'), formats.dateTime(report.date)],
    [t('theft.address'), report.address],
    [t('theft.description'), report.description],
    [t('theft.police'), report.police_reference],
  ] as const
  const words = (type: string) => {
    const known = EVENT_TYPES.find((name) => name === type)
    return known ? t(`events.${known}`) : type
  }
  return (
    <>
      <p className={classes.status} data-status={report.status} role="status">
        {t(`theft.${pickListed(THEFT_STATUSES, report.status, 'open')}`)}
      </p>
      <dl className={classes.facts}>
        {facts
          .filter(([, value]) => value)
          .map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      <h3 className={classes.small}>{t('theft.events')}</h3>
      <ol className={classes.events} aria-label={t('theft.events')}>
        {listTheftEvents(report, device).map((event) => (
          <li key={`${event.is}${event.at}`}>
            <span>{event.is === 'event' ? words(event.type) : t(`theft.${event.is}`)}</span>
            <time dateTime={event.at}>{formats.dateTime(event.at)}</time>
          </li>
        ))}
      </ol>
      {report.status === 'open' && onEdit && (
        <div className={classes.buttons}>
          <Button variant="default" h={44} onClick={onEdit}>
            {t('action.edit')}
          </Button>
          <Button variant="default" h={44} onClick={() => setClosing(true)}>
            {t('theft.close')}
          </Button>
        </div>
      )}
      {isClosing && <CloseReportDialog device={device} onClose={() => setClosing(false)} />}
    </>
  )
}

/** Confirms that the tracker was found. A report that was closed elsewhere is reloaded. */
function CloseReportDialog({ device: { id, name }, onClose }: { device: Device; onClose: () => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { queryKey } = reportQuery(id)
  const end = async () => {
    try {
      queries.setQueryData(queryKey, await theftApi.change({ params: { id }, body: { status: 'closed' } }))
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
