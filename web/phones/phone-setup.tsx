import { Button } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { NewDeviceKey } from '#contracts/device-keys.ts'
import type { Device } from '#contracts/devices.ts'
import { clientPorts } from '#web/lib/api/api.ts'
import { copyText } from '#web/lib/copy-text.ts'
import { SegmentedControl } from '#web/ui/form/segmented-control.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Row, RowNote, Rows } from '#web/ui/lists/row.tsx'
import { QrCode } from '#web/ui/qr-code.tsx'
import { APPS, buildAppSetup, type TrackingApp } from './app-setup.ts'
import classes from './phones.module.css'

const options = [
  { value: 'traccar', label: APPS.traccar },
  { value: 'ownTracks', label: APPS.ownTracks },
] as const

/** Setup instructions for a phone. Shown once, because the key cannot be read again. */
export function PhoneSetup({ made, device, onDone }: { made: NewDeviceKey; device: Device; onDone: () => void }) {
  const { t } = useTranslation()
  const [app, setApp] = useState<TrackingApp>('traccar')
  const { code, fields } = buildAppSetup(app, made, device, { base: clientPorts().base, origin: location.origin })
  const name = { app: APPS[app] }
  return (
    <>
      <RowNote>{t('phones.once')}</RowNote>
      <SegmentedControl label={t('phones.app')} value={app} onChange={setApp} options={options} />
      <ol className={classes.steps}>
        <li>{t('phones.step.installApp', name)}</li>
        <li>{app === 'traccar' ? t('phones.step.scanTraccar') : t('phones.step.scanOwnTracks', name)}</li>
        <li>{app === 'traccar' ? t('phones.step.startTraccar') : t('phones.step.modeOwnTracks')}</li>
      </ol>
      <QrCode text={code} label={t('phones.qr', name)} />
      {app === 'ownTracks' && (
        <a className={classes.open} href={code}>
          {t('phones.openIn', name)}
        </a>
      )}
      <section className={classes.byHand}>
        <h3>{t('phones.byHand')}</h3>
        <Rows label={t('phones.byHand')}>
          {fields.map(([field, value]) => (
            <CopyField key={field} label={t(`phones.${field}`)} value={value} />
          ))}
        </Rows>
      </section>
      <Button h={44} onClick={onDone}>
        {t('phones.done')}
      </Button>
    </>
  )
}

function CopyField({ label, value }: { label: string; value: string }) {
  const { t } = useTranslation()
  const [isCopied, setCopied] = useState(false)
  return (
    <Row name={<code>{value}</code>} hint={isCopied ? <span role="status">{t('links.copied')}</span> : label}>
      <IconButton
        label={t('phones.copy')}
        of={label}
        Icon={isCopied ? IconCheck : IconCopy}
        onClick={() => void copyText(value).then(setCopied)}
      />
    </Row>
  )
}
