import { Button } from '@mantine/core'
import { IconDownload, IconLifebuoy, IconMapPinOff } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import { parseId } from '#contracts/lib/common.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { saveFile } from '#web/lib/api/download.ts'
import { config } from '#web/lib/config.ts'
import { hostApp } from '#web/lib/navigation/host-app.ts'
import { useFeature, useFeatures } from '#web/lib/other-backends/features.ts'
import { useLive } from '#web/trackers/live/use-live.ts'
import { KindDisc } from '#web/trackers/parts/kind-icon.tsx'
import { UnknownTracker } from '#web/trackers/parts/unknown-tracker.tsx'
import { WithDevices } from '#web/trackers/trackers.queries.tsx'
import { Empty } from '#web/ui/feedback/notice.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'
import { Page } from '#web/ui/page.tsx'
import { BoostSection, InAppSection } from './boost-section.tsx'
import { LostModeSection } from './lost-mode.tsx'
import { PositionSection } from './position-section.tsx'
import { ReportSection } from './report-section.tsx'
import { Section } from './section.tsx'
import classes from './theft-file.module.css'
import { theftApi } from './theft-file.queries.ts'

export default function TheftFileScreen() {
  return <WithDevices>{(devices, instead) => <TheftFile devices={devices} instead={instead} />}</WithDevices>
}

function TheftFile({ devices, instead }: { devices: readonly Device[]; instead: ReactNode }) {
  const { t } = useTranslation()
  const id = useSearchParams()[0].get('id')
  const device = devices.find((each) => each.id === parseId(id))
  const whose =
    device &&
    (hostApp.isNative() ? { lead: device.name } : { back: { to: `/trackers/${encodeURIComponent(device.id)}`, label: device.name } })
  return (
    <Page title={t('title.appTheftFile')} isNarrow={!device} {...whose}>
      {instead ??
        (device ? (
          <File key={device.id} device={device} />
        ) : !id ? (
          <TrackerChoice devices={devices} />
        ) : (
          <UnknownTracker isPage={false} hasLink={!hostApp.isNative()} />
        ))}
    </Page>
  )
}

function File({ device }: { device: Device }) {
  useLive()
  const has = useFeatures()
  return (
    <div className={classes.file}>
      <PositionSection device={device} />
      <div className={classes.help}>
        {has('modes') && <LostModeSection device={device} />}
        <BoostSection device={device} />
      </div>
      {has('theftReports') && <ReportSection device={device} />}
      <AssistanceSection device={device} />
      <InAppSection what="radar" />
    </div>
  )
}

function TrackerChoice({ devices }: { devices: readonly Device[] }) {
  const { t } = useTranslation()
  if (devices.length === 0) return <Empty icon={<IconMapPinOff size={30} />} title={t('trackers.none')} />
  return (
    <nav className={classes.choose} aria-label={t('theft.choose')}>
      <p>{t('theft.choose')}</p>
      {devices.map((device) => (
        <Link key={device.id} to={`?id=${encodeURIComponent(device.id)}`}>
          <KindDisc of={device} size={32} />
          {device.name}
        </Link>
      ))}
    </nav>
  )
}

/** Support contact and the police form; a failed download saves no file. */
function AssistanceSection({ device: { id } }: { device: Device }) {
  const { t } = useTranslation()
  const { supportEmail } = config()
  const hasForm = useFeature('theft')
  const download = useMutation({
    mutationFn: async () => saveFile(await theftApi.form({ params: { id } }), `theft_form_${id}.pdf`, 'application/pdf'),
  })
  const isShown = download.error && !(download.error instanceof ApiError && download.error.isLeaving)
  return (
    <Section icon={<IconLifebuoy size={20} />} title={t('theft.assistance')}>
      <p>{t('theft.help')}</p>
      <FormAlert>{isShown ? t('theft.formFailed') : null}</FormAlert>
      <div className={classes.buttons}>
        {hasForm && (
          <Button h={44} leftSection={<IconDownload size={18} />} loading={download.isPending} onClick={() => download.mutate()}>
            {t('theft.form')}
          </Button>
        )}
        {supportEmail && <LinkButton href={`mailto:${supportEmail}`}>{t('title.contactUs')}</LinkButton>}
      </div>
    </Section>
  )
}
