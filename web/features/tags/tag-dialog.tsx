import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TEXT_LENGTH } from '#contracts/constants.ts'
import { byName } from '#contracts/rules/name-order.ts'
import { tags as contract, type Tag } from '#contracts/tags.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { devicesQuery } from '#web/lib/trackers/queries.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/fields.tsx'
import { FormAlert } from '#web/ui/form-alert.tsx'
import { RequiredLegend } from '#web/ui/required-legend.tsx'
import { useForm } from '#web/ui/use-form.ts'
import { calls } from './calls.ts'
import { ColorField } from './color-field.tsx'
import { tagsQuery } from './queries.ts'
import classes from './tags.module.css'

/** A new tag, or another name or colour of one, which its trackers show as well. */
export function TagDialog({ tag, onClose }: { tag?: Tag; onClose: () => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [isTaken, setTaken] = useState(false)
  const { form, field, isBusy, failure } = useForm({
    schema: contract.create.body,
    submit: async (body) => {
      const saved = await (tag ? calls.update({ params: { id: tag.id }, body }) : calls.create({ body })).catch(atName)
      queries.setQueryData(tagsQuery().queryKey, (all) => all && [...all.filter(({ id }) => id !== saved.id), saved].sort(byName))
      if (tag) void queries.invalidateQueries({ queryKey: devicesQuery().queryKey })
      onClose()
    },
    failure: ({ status }) => (status === 404 ? t('tags.gone') : undefined),
  })
  /** A name that another tag has is a matter of its field. */
  const atName = (error: unknown): never => {
    if (!(error instanceof ApiError) || error.code !== 'tag_exists') throw error
    setTaken(true)
    throw new ApiError(error.status, { code: error.code, fields: { name: ['taken'] } })
  }
  const name = field('name')
  return (
    <Dialog title={tag ? t('tags.edit') : t('tags.add')} onClose={onClose}>
      <form {...form} className={classes.form}>
        <FormAlert>{failure}</FormAlert>
        <TextField
          {...name}
          error={isTaken ? t('tags.exists') : name.error}
          onInput={() => setTaken(false)}
          label={t('trackers.name')}
          required
          maxLength={TEXT_LENGTH.tagName}
          autoComplete="off"
          defaultValue={tag?.name}
        />
        <ColorField name="color" defaultValue={tag?.color} />
        <RequiredLegend />
        <div className={classes.buttons}>
          <Button variant="default" h={44} onClick={onClose}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" h={44} loading={isBusy}>
            {t('action.save')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
