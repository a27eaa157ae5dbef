import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { NetworkNumbersChange } from '#contracts/networks.ts'
import { showToast } from '#web/lib/toasts.ts'
import { TextField } from '#web/ui/form/fields.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { SavePart } from '#web/ui/form/save-bar.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { UnsavedGuard } from '#web/ui/overlay/unsaved-guard.tsx'
import classes from './networks.module.css'
import { networkNumbersApi, networkNumbersQuery } from './networks.queries.ts'

/** The identifiers of a tracker in networks: IMEI, DevEUI and Sigfox ID. */
export function NetworkNumbersForm({ device, mayChange }: { device: number; mayChange: boolean }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const query = networkNumbersQuery(device)
  const numbers = useSuspenseQuery(query).data
  const malformed = t('networks.malformed')
  const { form, field, isBusy, isDirty, failure } = useForm({
    schema: NetworkNumbersChange,
    words: { imei: malformed, dev_eui: malformed, sigfox: malformed },
    submit: async (body) => {
      queries.setQueryData(query.queryKey, await networkNumbersApi.save({ params: { id: device }, body }))
      showToast(t('form.saved'))
    },
    failure: ({ code, fields }) =>
      code === 'identifier_taken' ? Object.fromEntries(Object.keys(fields).map((name) => [name, t('networks.taken')])) : undefined,
  })
  const look = { autoComplete: 'off', spellCheck: false, maxLength: 40 } as const
  return (
    <form {...form}>
      <fieldset className={classes.fields} disabled={!mayChange}>
        <p className={classes.lead}>{t('networks.lead')}</p>
        <FormAlert>{failure}</FormAlert>
        <TextField
          {...look}
          {...field('imei')}
          label={t('networks.imei')}
          description={t('networks.imeiHint')}
          inputMode="numeric"
          defaultValue={numbers.imei ?? ''}
        />
        <TextField
          {...look}
          {...field('dev_eui')}
          label={t('networks.devEui')}
          description={t('networks.devEuiHint')}
          defaultValue={numbers.dev_eui ?? ''}
        />
        <TextField
          {...look}
          {...field('sigfox')}
          label={t('networks.sigfox')}
          description={t('networks.sigfoxHint')}
          defaultValue={numbers.sigfox ?? ''}
        />
      </fieldset>
      <SavePart isDirty={isDirty} isBusy={isBusy} />
      <UnsavedGuard isDirty={isDirty} />
    </form>
  )
}
