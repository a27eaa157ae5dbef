import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { NewDeviceKey } from '#contracts/device-keys.ts'
import type { Device } from '#contracts/devices.ts'
import { MAX_DEVICE_KEYS } from '#contracts/lib/constants.ts'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { RowNote, Rows } from '#web/ui/row.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'
import { KeyRow } from './key-row.tsx'
import { keysQuery } from './keys-query.ts'
import { NewKeyForm } from './new-key-form.tsx'
import { PhoneSetup } from './phone-setup.tsx'

/** Lists the phones that report as one tracker, at most five, each with its own revocable key. */
export default function PhonesDialog({ device, onClose }: { device: Device; onClose: () => void }) {
  const { t } = useTranslation()
  const [made, setMade] = useState<NewDeviceKey | null>(null)
  const { data: keys, isError } = useQuery(keysQuery(device.id))
  const title = t('phones.heading', { name: device.name })
  if (made)
    return (
      <Dialog title={title} onClose={onClose}>
        <PhoneSetup made={made} device={device} onDone={() => setMade(null)} />
      </Dialog>
    )
  return (
    <Dialog title={title} lead={t('phones.lead')} onClose={onClose}>
      {isError && <FormAlert>{t('error.load')}</FormAlert>}
      {!keys && !isError && <SkeletonRows count={2} />}
      {keys && keys.length > 0 && (
        <Rows label={t('phones.yours')}>
          {keys.map((key) => (
            <KeyRow key={key.id} of={key} device={device.id} />
          ))}
        </Rows>
      )}
      {keys && keys.length >= MAX_DEVICE_KEYS && <RowNote>{t('phones.tooMany', { n: MAX_DEVICE_KEYS })}</RowNote>}
      {keys && keys.length < MAX_DEVICE_KEYS && <NewKeyForm device={device.id} onMade={setMade} />}
    </Dialog>
  )
}
