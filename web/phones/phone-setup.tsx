import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { NewDeviceKey } from '#contracts/trackers/device-keys.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { clientPorts } from '#web/lib/api/api.ts'
import { copyText } from '#web/lib/copy-text.ts'
import { useMedia } from '#web/lib/use-media.ts'
import { SegmentedControl } from '#web/ui/form/segmented-control.tsx'
import { RowNote, Rows } from '#web/ui/lists/row.tsx'
import { QrCode } from '#web/ui/qr-code.tsx'
import { APPS, buildAppSetup, buildHomeAssistantRecipe, buildUrlTemplates, listApps, type TrackingApp } from './app-setup.ts'
import { CopyField } from './copy-field.tsx'
import { LastMessage } from './last-message.tsx'
import classes from './phones.module.css'

const STEPS = {
  traccar: ['installApp', 'scanTraccar', 'startTraccar'],
  ownTracks: ['installApp', 'allowOwnTracks', 'scanOwnTracks', 'modeOwnTracks'],
  overland: ['installApp', 'scanOverland', 'startOverland'],
} as const satisfies Record<TrackingApp, readonly string[]>

/** Setup instructions for a phone. Shown once, because the key cannot be read again. */
export function PhoneSetup({ made, device, onDone }: { made: NewDeviceKey; device: Device; onDone: () => void }) {
  const { t } = useTranslation()
  const [app, setApp] = useState<TrackingApp | 'other'>('traccar')
  const options = [...listApps(made).map((value) => ({ value, label: APPS[value] })), { value: 'other' as const, label: t('phones.other') }]
  return (
    <>
      <RowNote>{t('phones.once')}</RowNote>
      <SegmentedControl label={t('phones.app')} value={app} onChange={setApp} options={options} />
      {app === 'other' ? <OtherApp made={made} /> : <KnownApp app={app} made={made} device={device} />}
      <LastMessage device={device.id} id={made.id} />
      <Button h={44} onClick={onDone}>
        {t('phones.done')}
      </Button>
    </>
  )
}

function KnownApp({ app, made, device }: { app: TrackingApp; made: NewDeviceKey; device: Device }) {
  const { t } = useTranslation()
  const { code, link, fields } = buildAppSetup(app, made, device, { base: clientPorts().base, origin: location.origin })
  const name = { app: APPS[app] }
  const isTouch = useMedia('(pointer: coarse)')
  return (
    <>
      <ol className={classes.steps}>
        {STEPS[app].map((step) => (
          <li key={step}>{t(`phones.step.${step}`, name)}</li>
        ))}
      </ol>
      {isTouch && (
        <Button component="a" href={link} h={52}>
          {t('phones.openIn', name)}
        </Button>
      )}
      <QrCode text={code} label={t('phones.qr', name)} />
      {!isTouch && (
        <a className={classes.open} href={link}>
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
    </>
  )
}

const HOME_ASSISTANT = 'Home Assistant'

/** URLs for apps whose users can enter one, and the configuration for Home Assistant. */
function OtherApp({ made }: { made: NewDeviceKey }) {
  const { t } = useTranslation()
  const [isCopied, setCopied] = useState(false)
  const where = { base: clientPorts().base, origin: location.origin }
  const recipe = buildHomeAssistantRecipe(made, where)
  return (
    <>
      <p>{t('phones.step.pasteUrl')}</p>
      <Rows label={t('phones.other')}>
        {buildUrlTemplates(made, where).map(([app, url]) => (
          <CopyField key={app} label={app === 'plain' ? t('phones.plain') : app} value={url} />
        ))}
      </Rows>
      <section className={classes.byHand}>
        <h3>{HOME_ASSISTANT}</h3>
        <p>{t('phones.recipe')}</p>
        <pre className={classes.recipe}>{recipe}</pre>
        <Button
          variant="default"
          h={44}
          aria-label={`${t('phones.copy')}: ${HOME_ASSISTANT}`}
          onClick={() => void copyText(recipe).then(setCopied)}
        >
          {isCopied ? <span role="status">{t('links.copied')}</span> : t('phones.copy')}
        </Button>
      </section>
    </>
  )
}
