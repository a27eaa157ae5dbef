import { IconDeviceMobile, IconDeviceWatch, IconEye, IconLoader2 } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type ComponentType, type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { openChecklist } from '#web/first-minute/checklist/open-checklist.ts'
import { startDemo } from '#web/first-minute/demo/demo-tracker.ts'
import { ApiError, wordsOf } from '#web/lib/api/api-error.ts'
import { config } from '#web/lib/config.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { useMedia } from '#web/lib/use-media.ts'
import { deviceKeyKeys, deviceKeysApi } from '#web/phones/device-keys.queries.ts'
import { useRecentSignIn } from '#web/signed-in/recent-sign-in/use-recent-sign-in.tsx'
import type { ListedKind } from '#web/trackers/listed-kind.ts'
import { phonesApi } from '#web/trackers/trackers.api.ts'
import { addToCachedDevices } from '#web/trackers/trackers.queries.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import classes from './first-minute.module.css'
import { NumberForm } from './number-form.tsx'
import { zonePlace } from './zone-place.ts'

/** The ways in which something reports: a tracker with a number, or a phone. The demo dog belongs to backends that number phones. */
export function ReportStep({ kind }: { kind: ListedKind }) {
  const { t } = useTranslation()
  const hasPhones = useFeature('phones')
  const hasKeys = useFeature('deviceKeys')
  return (
    <div className={classes.options}>
      <Option Icon={IconDeviceWatch} title={t('start.tracker')} lead={t('start.trackerLead')}>
        <NumberForm kind={kind} />
      </Option>
      {hasPhones && hasKeys && <PhoneOption kind={kind} />}
      {hasPhones && <DemoOption />}
    </div>
  )
}

type OptionProps = { Icon: ComponentType<{ size: number }>; title: string; lead: string; children: ReactNode }

function Option({ Icon, title, lead, children }: OptionProps) {
  const id = useId()
  return (
    <section className={classes.option} aria-labelledby={id}>
      <div className={classes.optionHead}>
        <span className={classes.optionIcon} aria-hidden="true">
          <Icon size={22} />
        </span>
        <span>
          <h2 id={id}>{title}</h2>
          <small>{lead}</small>
        </span>
      </div>
      {children}
    </section>
  )
}

/** Adds a phone as a tracker, with the key with which it reports. On a phone it is the phone in the user's hand. */
function PhoneOption({ kind }: { kind: ListedKind }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { confirmed, dialog } = useRecentSignIn()
  const isTouch = useMedia('(pointer: coarse)')
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<ApiError | null>(null)
  const create = async () => {
    setBusy(true)
    setFailure(null)
    try {
      const device = await phonesApi.add({ body: { name: t('start.phoneName'), kind } })
      const made = await confirmed((options) =>
        deviceKeysApi.create({ params: { id: device.id }, body: { label: t('phones.unnamed') } }, options),
      ).catch(() => null)
      if (made) queries.setQueryData(deviceKeyKeys.made(device.id), made)
      openChecklist()
      addToCachedDevices(queries, device)
      await navigate(`/?start=phone&id=${device.id}`, { replace: true })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (!error.isLeaving) setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <FormAlert>{failure && t(wordsOf(failure))}</FormAlert>
      <button type="button" className={classes.option} disabled={isBusy} onClick={() => void create()}>
        <span className={classes.optionHead}>
          <span className={classes.optionIcon} aria-hidden="true">
            {isBusy ? <IconLoader2 size={22} className={classes.turning} /> : <IconDeviceMobile size={22} />}
          </span>
          <span>
            <b>{isTouch ? t('start.thisPhone') : t('start.aPhone')}</b>
            <small>{isTouch ? t('start.thisPhoneLead') : t('start.aPhoneLead')}</small>
          </span>
        </span>
      </button>
      {dialog}
    </>
  )
}

/** For users with a time zone of no place. */
const GREENWICH = { lat: 51.48, lng: 0 }

function DemoOption() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const start = () => {
    startDemo(config().tiles.streets ?? zonePlace() ?? GREENWICH)
    void navigate('/')
  }
  return (
    <button type="button" className={classes.option} onClick={start}>
      <span className={classes.optionHead}>
        <span className={classes.optionIcon} aria-hidden="true">
          <IconEye size={22} />
        </span>
        <span>
          <b>{t('start.around')}</b>
          <small>{t('start.aroundLead')}</small>
        </span>
      </span>
    </button>
  )
}
