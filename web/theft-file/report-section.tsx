import { Button } from '@mantine/core'
import { IconClipboardText } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Device } from '#contracts/trackers/devices.ts'
import { useHasRight } from '#web/signed-in/use-has-right.ts'
import { Part } from '#web/ui/feedback/part.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LostModeDialog } from './lost-mode.tsx'
import { ReportFields } from './report-fields.tsx'
import { ReportView } from './report-view.tsx'
import { Section } from './section.tsx'
import classes from './theft-file.module.css'
import { reportQuery } from './theft-file.queries.ts'

export function ReportSection({ device }: { device: Device }) {
  return (
    <Section icon={<IconClipboardText size={20} />} title={useTranslation().t('theft.follow')}>
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
        <ReportFields
          device={device.id}
          report={report?.status === 'open' ? report : null}
          onDone={done}
          {...(report && { onCancel: () => setWriting(false) })}
        />
      )}
      {isOffering && <LostModeDialog device={device} onClose={() => setOffering(false)} />}
    </>
  )
}
