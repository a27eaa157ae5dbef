import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import type { UplinkMappingState } from '#contracts/networks.ts'
import { useNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { showToast } from '#web/lib/toasts.ts'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { SavePart } from '#web/ui/form/save-bar.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { UnsavedGuard } from '#web/ui/overlay/unsaved-guard.tsx'
import classes from './networks.module.css'
import { uplinkMappingQuery, uplinkMappingsApi } from './networks.queries.ts'

const Path = z.pipe(
  z.string(),
  z.transform((path) => path || null),
)
const Mapping = z.object({ latitude: Path, longitude: Path, battery: Path }).check(
  z.refine(({ latitude, longitude }) => (latitude === null) === (longitude === null), {
    path: ['longitude'],
    error: 'latitude and longitude belong together',
  }),
)

/** The mapping of a tracker's decoded payload to position and battery; nothing for a tracker that no network has reported for. */
export function PayloadFieldsForm({ device, mayChange }: { device: number; mayChange: boolean }) {
  const mapping = useSuspenseQuery(uplinkMappingQuery(device)).data
  const { latitude, longitude, battery } = mapping
  if (mapping.uplinks === 0) return null
  return <Fields key={[latitude, longitude, battery].join('|')} device={device} mapping={mapping} mayChange={mayChange} />
}

function Fields({ device, mapping, mayChange }: { device: number; mapping: UplinkMappingState; mayChange: boolean }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const now = useNow()
  const queries = useQueryClient()
  const query = uplinkMappingQuery(device)
  const { newest } = mapping
  const { form, field, isBusy, isDirty, failure } = useForm({
    schema: Mapping,
    words: { longitude: t('networks.payload.both') },
    submit: async (body) => {
      const { added, ...state } = await uplinkMappingsApi.save({ params: { id: device }, body })
      queries.setQueryData(query.queryKey, state)
      showToast(added > 0 ? t('networks.payload.added', { count: added }) : t('form.saved'))
    },
  })
  const options = (saved: string | null) => {
    const fields = Object.entries(newest?.fields ?? {}).map(([path, value]) => ({
      value: path,
      label: `${path} = ${value}`,
    }))
    const isGone = saved !== null && !fields.some(({ value }) => value === saved)
    return [{ value: '', label: t('networks.payload.automatic') }, ...(isGone ? [{ value: saved, label: saved }] : []), ...fields]
  }
  return (
    <form {...form} aria-label={t('networks.payload.heading')}>
      <fieldset className={classes.fields} disabled={!mayChange}>
        <h3 className={classes.heading}>{t('networks.payload.heading')}</h3>
        <p className={classes.lead}>{t('networks.payload.lead')}</p>
        {newest && (
          <p role="status" data-is={newest.has_position ? 'good' : 'bad'} className={classes.newest}>
            {t(newest.has_position ? 'networks.payload.position' : 'networks.payload.noPosition', {
              age: formats.age(new Date(newest.datetime), now),
            })}
          </p>
        )}
        <FormAlert>{failure}</FormAlert>
        {(['latitude', 'longitude', 'battery'] as const).map((name) => (
          <SelectField
            key={name}
            {...field(name)}
            label={t(`networks.payload.${name}`)}
            data={options(mapping[name])}
            defaultValue={mapping[name] ?? ''}
          />
        ))}
      </fieldset>
      <SavePart isDirty={isDirty} isBusy={isBusy} />
      <UnsavedGuard isDirty={isDirty} />
    </form>
  )
}
