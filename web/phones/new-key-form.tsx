import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import type { NewDeviceKey } from '#contracts/device-keys.ts'
import { MAX_DEVICE_KEYS, TEXT_LENGTH } from '#contracts/lib/constants.ts'
import { TextField } from '#web/ui/form/fields.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { DialogFoot } from '#web/ui/overlay/dialog.tsx'
import { UnsavedGuard } from '#web/ui/overlay/unsaved-guard.tsx'
import { keysQuery } from './keys-query.ts'
import { calls } from './phones.calls.ts'
import classes from './phones.module.css'

const KeyForm = z.object({ label: z.string() })

export function NewKeyForm({ device, onMade }: { device: number; onMade: (key: NewDeviceKey) => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { queryKey } = keysQuery(device)
  const { form, field, isBusy, isDirty, failure } = useForm({
    schema: KeyForm,
    submit: async ({ label }) => {
      onMade(await calls.create({ params: { id: device }, body: { label } }))
      await queries.invalidateQueries({ queryKey })
    },
    failure: ({ code }) => {
      if (code !== 'too_many_keys') return undefined
      void queries.invalidateQueries({ queryKey })
      return t('phones.tooMany', { n: MAX_DEVICE_KEYS })
    },
  })
  return (
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
  )
}
