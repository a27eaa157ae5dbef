import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { TEXT_LENGTH } from '#contracts/lib/constants.ts'
import { byName } from '#contracts/rules/text.ts'
import { tags as contract, type Tag } from '#contracts/tags.ts'
import { devicesQuery } from '#web/trackers/trackers.queries.ts'
import { RequiredLegend, TextField } from '#web/ui/form/fields.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { ColorField } from './color-field.tsx'
import { tagsApi, tagsQuery } from './tags.queries.ts'

export function TagDialog({ tag, onClose }: { tag?: Tag; onClose: () => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const form = useForm({
    schema: contract.create.body,
    submit: async (body) => {
      const saved = await (tag ? tagsApi.update({ params: { id: tag.id }, body }) : tagsApi.create({ body }))
      queries.setQueryData(tagsQuery().queryKey, (all) => all && [...all.filter(({ id }) => id !== saved.id), saved].sort(byName))
      if (tag) void queries.invalidateQueries({ queryKey: devicesQuery().queryKey })
      onClose()
    },
    failure: ({ code, status }) => {
      if (code === 'tag_exists') return { name: t('tags.exists') }
      return status === 404 ? t('tags.gone') : undefined
    },
  })
  return (
    <FormDialog title={tag ? t('tags.edit') : t('tags.add')} of={form} onClose={onClose}>
      <TextField
        {...form.field('name')}
        label={t('trackers.name')}
        required
        maxLength={TEXT_LENGTH.tagName}
        autoComplete="off"
        defaultValue={tag?.name}
      />
      <ColorField name="color" defaultValue={tag?.color} />
      <RequiredLegend />
    </FormDialog>
  )
}
