import { Button } from '@mantine/core'
import { IconClipboardText } from '@tabler/icons-react'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type ComponentProps, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { EVENT_TYPES } from '#contracts/rules/tracking/reporting.ts'
import { THEFT_STATUSES, type TheftReport } from '#contracts/theft.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { useHasRight } from '#web/signed-in/user.queries.ts'
import { Part } from '#web/ui/feedback/part.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { departureQuery } from './departure.ts'
import { LostModeDialog } from './lost-mode.tsx'
import { ReportFields } from './report-fields.tsx'
import { Section } from './section.tsx'
import classes from './theft-file.module.css'
import { reportQuery, theftApi } from './theft-file.queries.ts'
import { listTheftEvents } from './theft-report.ts'

export function ReportSection({ device }: { device: Device }) {
  const { t } = useTranslation()
  return (
    <Section icon={<IconClipboardText size={20} />} title={t(device.theft_since ? 'theft.follow' : 'theft.report')}>
      <Part skeleton={<SkeletonRows count={2} />}>
        <Report device={device} />
      </Part>
    </Section>
  )
}

function Report({ device }: { device: Device }) {
  const { t } = useTranslation()
  const report = useSuspenseQuery(reportQuery(device.id)).data
  const mayChange = useHasRight('changeTrackers')
  const [isWriting, setWriting] = useState(false)
  const [isOffering, setOffering] = useState(false)
  const isForm = mayChange && (isWriting || report === null)
  const done = () => {
    setWriting(false)
    if (report?.status !== 'open') setOffering(true)
  }
  return (
    <>
      {report === null && <p>{t('theft.none')}</p>}
      {report && !isForm && <ReportView report={report} device={device} {...(mayChange && { onEdit: () => setWriting(true) })} />}
      {report?.status === 'closed' && mayChange && !isWriting && (
        <div className={classes.buttons}>
          <Button variant="default" h={44} onClick={() => setWriting(true)}>
            {t('theft.another')}
          </Button>
        </div>
      )}
      {isForm && (
        <Part skeleton={<SkeletonRows count={3} />}>
          {report?.status === 'open' ? (
            <ReportFields device={device.id} report={report} onDone={done} onCancel={() => setWriting(false)} />
          ) : (
            <NewReport device={device.id} onDone={done} {...(report && { onCancel: () => setWriting(false) })} />
          )}
        </Part>
      )}
      {isOffering && <LostModeDialog device={device} onClose={() => setOffering(false)} />}
    </>
  )
}

/** Filled in with what the tracker knows of its last departure. */
function NewReport({ device, ...rest }: Pick<ComponentProps<typeof ReportFields>, 'device' | 'onDone' | 'onCancel'>) {
  const mayReadPlaces = useHasRight('readPlaces')
  const departure = useSuspenseQuery(departureQuery(device, mayReadPlaces)).data
  return <ReportFields device={device} report={null} departure={departure} {...rest} />
}

function ReportView({ report, device, onEdit }: { report: TheftReport; device: Device; onEdit?: () => void }) {
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
