import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { TEXT_LENGTH } from '#contracts/constants.ts'
import { byName } from '#contracts/rules/name-order.ts'
import { tags as contract, type Tag } from '#contracts/tags.ts'
import { calls } from '#web/lib/tags/calls.ts'
import { tagsQuery } from '#web/lib/tags/queries.ts'
import { devicesQuery } from '#web/lib/trackers/queries.ts'
import { TextField } from '#web/ui/fields.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { RequiredLegend } from '#web/ui/required-legend.tsx'
import { useForm } from '#web/ui/use-form.ts'
import { ColorField } from './color-field.tsx'

/** A new tag, or another name or colour of one, which its trackers show as well. */
export function TagDialog({ tag, onClose }: { tag?: Tag; onClose: () => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const form = useForm({
    schema: contract.create.body,
    submit: async (body) => {
      const saved = await (tag ? calls.update({ params: { id: tag.id }, body }) : calls.create({ body }))
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
