import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { parseId } from '#contracts/lib/common.ts'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { TrackerChange } from '#contracts/trackers/trackers.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { showToast } from '#web/lib/toasts.ts'
import { tagsQuery } from '#web/tags/tags.queries.ts'
import { KindChoice } from '#web/trackers/parts/kind-choice.tsx'
import { trackersApi } from '#web/trackers/trackers.api.ts'
import { devicesQuery } from '#web/trackers/trackers.queries.tsx'
import { CheckboxField } from '#web/ui/form/checkbox-field.tsx'
import { RequiredLegend, TextField } from '#web/ui/form/fields.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { SavePart } from '#web/ui/form/save-bar.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { UnsavedGuard } from '#web/ui/overlay/unsaved-guard.tsx'
import classes from './settings.module.css'

/** The select field submits text; an empty value means no tag. */
const Tag = z.pipe(
  z.string(),
  z.transform((id) => (id === '' ? null : parseId(id))),
)
/** An unknown kind is sent back unchanged. */
const Change = z.object({ ...TrackerChange.shape, kind: z.string(), tag: Tag })

export function AboutForm({ device, mayChange }: { device: Device; mayChange: boolean }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const hasTags = useFeature('tags')
  const tags = useQuery(tagsQuery()).data ?? (device.tag ? [device.tag] : [])
  const { form, field, isBusy, isDirty, failure } = useForm({
    schema: Change,
    submit: async (body) => {
      const changed = await trackersApi.change({ params: { id: device.id }, body })
      const { queryKey } = devicesQuery()
      queries.setQueryData(queryKey, (devices) => devices?.map((each) => (each.id === changed.id ? changed : each)))
      showToast(t('form.saved'))
    },
  })
  return (
    <form {...form}>
      <fieldset className={classes.section} disabled={!mayChange}>
        <FormAlert>{failure}</FormAlert>
        <TextField
          {...field('name')}
          label={t('trackers.name')}
          required
          maxLength={TEXT_LENGTH.deviceName}
          defaultValue={device.name}
          autoComplete="off"
        />
        <KindChoice {...field('kind')} legend={t('tracker.kind')} defaultValue={device.kind} />
        {hasTags && (
          <SelectField
            // The tags load after the form; the key resets the field to the tracker's tag.
            key={tags.length}
            {...field('tag')}
            label={t('tracker.tag')}
            defaultValue={String(device.tag?.id ?? '')}
            data={[{ value: '', label: t('settings.noTag') }, ...tags.map(({ id, name }) => ({ value: String(id), label: name }))]}
          />
        )}
        <CheckboxField name="visible" defaultChecked={device.visible} hint={t('settings.visibleHint')}>
          {t('settings.visible')}
        </CheckboxField>
        <RequiredLegend />
      </fieldset>
      <SavePart isDirty={isDirty} isBusy={isBusy} />
      <UnsavedGuard isDirty={isDirty} />
    </form>
  )
}
