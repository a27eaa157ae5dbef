import { Button } from '@mantine/core'
import { IconDeviceMobile, IconServer, IconTrash } from '@tabler/icons-react'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { personName } from '#contracts/rules/user.ts'
import { type DeviceKey, type KeyMessage, MAX_DEVICE_KEYS, type NewDeviceKey } from '#contracts/trackers/device-keys.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { ignoreGone } from '#web/lib/api/api-error.ts'
import { useNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { showToast } from '#web/lib/toasts.ts'
import { useRecentSignIn } from '#web/signed-in/recent-sign-in/use-recent-sign-in.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { TextField } from '#web/ui/form/fields.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Row, RowNote, Rows } from '#web/ui/lists/row.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { Dialog, DialogFoot } from '#web/ui/overlay/dialog.tsx'
import { UnsavedGuard } from '#web/ui/overlay/unsaved-guard.tsx'
import { deviceKeyKeys, deviceKeysApi, deviceKeysQuery } from './device-keys.queries.ts'
import { useKeyMessages, useMessageText } from './last-message.tsx'
import { PhoneSetup } from './phone-setup.tsx'
import classes from './phones.module.css'
import { useMadeKey } from './use-made-key.ts'

/** Lists the phones that report as one tracker, at most five, each with its own revocable key. */
export default function PhonesDialog({ device, onClose }: { device: Device; onClose: () => void }) {
  const { t } = useTranslation()
  const [made, setMade] = useMadeKey(device.id)
  const close = () => {
    setMade(null)
    onClose()
  }
  const title = t('phones.heading', { name: device.name })
  if (made)
    return (
      <Dialog sheet="phones" title={title} onClose={close}>
        <PhoneSetup made={made} device={device} onDone={() => setMade(null)} />
      </Dialog>
    )
  return (
    <Dialog sheet="phones" title={title} lead={t('phones.lead')} onClose={onClose}>
      <Part skeleton={<SkeletonRows count={2} />}>
        <Keys device={device.id} onMade={setMade} />
      </Part>
    </Dialog>
  )
}

type Props = { device: number; onMade: (key: NewDeviceKey) => void }

function Keys({ device, onMade }: Props) {
  const { t } = useTranslation()
  const keys = useSuspenseQuery(deviceKeysQuery(device)).data
  const messages = useKeyMessages(device)
  const messageText = useMessageText()
  const fromGateway = messages.find(({ key }) => key === null)
  return (
    <>
      {(keys.length > 0 || fromGateway) && (
        <Rows label={t('phones.yours')}>
          {keys.map((key) => (
            <KeyRow key={key.id} of={key} message={messages.find((message) => message.key === key.id)} device={device} />
          ))}
          {fromGateway && (
            <Row icon={<IconServer size={20} aria-hidden="true" />} name={t('phones.gateway')} hint={messageText(fromGateway)} />
          )}
        </Rows>
      )}
      {keys.length >= MAX_DEVICE_KEYS && <RowNote>{t('phones.tooMany', { n: MAX_DEVICE_KEYS })}</RowNote>}
      {keys.length < MAX_DEVICE_KEYS && <NewKeyForm device={device} onMade={onMade} />}
    </>
  )
}

const KeyForm = z.object({ label: z.string() })

function NewKeyForm({ device, onMade }: Props) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { queryKey } = deviceKeysQuery(device)
  const { confirmed, dialog } = useRecentSignIn()
  const { form, field, isBusy, isDirty, failure } = useForm({
    schema: KeyForm,
    submit: async ({ label }) => {
      onMade(await confirmed((options) => deviceKeysApi.create({ params: { id: device }, body: { label } }, options)))
      await queries.invalidateQueries({ queryKey })
    },
    failure: ({ code }) => {
      if (code !== 'too_many_keys') return undefined
      void queries.invalidateQueries({ queryKey })
      return t('phones.tooMany', { n: MAX_DEVICE_KEYS })
    },
  })
  return (
    <>
      <form {...form} className={classes.form}>
        <FormAlert>{failure}</FormAlert>
        <TextField
          {...field('label')}
          label={t('phones.label')}
          placeholder={t('phones.labelExample')}
          maxLength={TEXT_LENGTH.keyLabel}
          autoComplete="off"
        />
        <DialogFoot>
          <Button type="submit" h={44} loading={isBusy}>
            {t('phones.create')}
          </Button>
        </DialogFoot>
        <UnsavedGuard isDirty={isDirty} />
      </form>
      {dialog}
    </>
  )
}

function KeyRow({ of, message, device }: { of: DeviceKey; message: KeyMessage | undefined; device: number }) {
  const { t, i18n } = useTranslation()
  const formats = useFormats()
  const now = useNow()
  const messageText = useMessageText()
  const [isAsking, setAsking] = useState(false)
  const name = of.label || t('phones.unnamed')
  const used = of.last_used_at ? t('phones.used', { age: formats.age(new Date(of.last_used_at), now) }) : t('phones.never')
  const { created_by: maker } = of
  const madeBy = maker && t('publicLinks.madeBy', { name: personName(maker.first_name, maker.last_name, i18n.language) })
  const hint = [message ? messageText(message) : used, madeBy].filter(Boolean).join(' · ')
  return (
    <Row icon={<IconDeviceMobile size={20} aria-hidden="true" />} name={name} hint={hint}>
      <IconButton label={t('phones.revoke')} of={name} Icon={IconTrash} onClick={() => setAsking(true)} />
      {isAsking && <RevokeKeyDialog id={of.id} name={name} device={device} onClose={() => setAsking(false)} />}
    </Row>
  )
}

type KeyRowProps = { id: number; name: string; device: number; onClose: () => void }

function RevokeKeyDialog({ id, name, device, onClose }: KeyRowProps) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const revoke = async () => {
    await deviceKeysApi.remove({ params: { id: device, key: id } }).catch(ignoreGone)
    showToast(t('phones.revoked'))
    await queries.invalidateQueries({ queryKey: deviceKeyKeys.tracker(device) })
  }
  return (
    <ConfirmDialog title={t('phones.revokeAsk', { name })} action={t('phones.revoke')} isDanger onConfirm={revoke} onClose={onClose}>
      {t('phones.revokeLead')}
    </ConfirmDialog>
  )
}
