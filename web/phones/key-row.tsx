import { IconDeviceMobile, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DeviceKey } from '#contracts/device-keys.ts'
import { useNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Row } from '#web/ui/row.tsx'
import { RevokeKey } from './revoke-key.tsx'

export function KeyRow({ of, device }: { of: DeviceKey; device: number }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const now = useNow()
  const [isAsking, setAsking] = useState(false)
  const name = of.label || t('phones.unnamed')
  const used = of.last_used_at ? t('phones.used', { age: formats.age(new Date(of.last_used_at), now) }) : t('phones.never')
  return (
    <Row icon={<IconDeviceMobile size={20} aria-hidden="true" />} name={name} hint={used}>
      <IconButton label={t('phones.revoke')} of={name} Icon={IconTrash} onClick={() => setAsking(true)} />
      {isAsking && <RevokeKey id={of.id} name={name} device={device} onClose={() => setAsking(false)} />}
    </Row>
  )
}
