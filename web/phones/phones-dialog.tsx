import { Button } from '@mantine/core'
import { IconServer } from '@tabler/icons-react'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { MAX_DEVICE_KEYS, TEXT_LENGTH } from '#contracts/lib/constants.ts'
import type { NewDeviceKey } from '#contracts/trackers/device-keys.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { useRecentSignIn } from '#web/signed-in/recent-sign-in/use-recent-sign-in.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { TextField } from '#web/ui/form/fields.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { Row, RowNote, Rows } from '#web/ui/lists/row.tsx'
import { Dialog, DialogFoot } from '#web/ui/overlay/dialog.tsx'
import { UnsavedGuard } from '#web/ui/overlay/unsaved-guard.tsx'
import { deviceKeysApi, deviceKeysQuery } from './device-keys.queries.ts'
import { KeyRow } from './key-row.tsx'
import { useKeyMessages, useMessageText } from './last-message.tsx'
import { PhoneSetup } from './phone-setup.tsx'
import classes from './phones.module.css'

/** Lists the phones that report as one tracker, at most five, each with its own revocable key. */
export default function PhonesDialog({ device, onClose }: { device: Device; onClose: () => void }) {
  const { t } = useTranslation()
  const [made, setMade] = useState<NewDeviceKey | null>(null)
  const title = t('phones.heading', { name: device.name })
  if (made)
    return (
      <Dialog title={title} onClose={onClose}>
        <PhoneSetup made={made} device={device} onDone={() => setMade(null)} />
      </Dialog>
    )
  return (
    <Dialog title={title} lead={t('phones.lead')} onClose={onClose}>
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
