import { IconCheck, IconColorPicker } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type CSSProperties, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ACCOUNT_LIMITS } from '#contracts/limits/account-limits.ts'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { byName } from '#contracts/rules/text.ts'
import { tags as contract, TAG_COLORS, type Tag } from '#contracts/tags.ts'
import { showToast } from '#web/lib/toasts.ts'
import { trackerKeys } from '#web/trackers/trackers.queries.tsx'
import { RequiredLegend, TextField } from '#web/ui/form/fields.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import classes from './tags.module.css'
import { tagsApi, tagsQuery } from './tags.queries.ts'

type Props = { tag?: Tag; isInPlace?: boolean; onSaved?: (tag: Tag) => void; onClose: () => void }

export function TagDialog({ tag, isInPlace = false, onSaved, onClose }: Props) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const form = useForm({
    schema: contract.create.body,
    submit: async (body) => {
      const saved = await (tag ? tagsApi.update({ params: { id: tag.id }, body }) : tagsApi.create({ body }))
      queries.setQueryData(tagsQuery().queryKey, (all) => all && [...all.filter(({ id }) => id !== saved.id), saved].sort(byName))
      if (tag) void queries.invalidateQueries({ queryKey: trackerKeys.devices })
      if (tag) showToast(t('form.saved'))
      onSaved?.(saved)
      onClose()
    },
    failure: ({ code, status }) => {
      if (code === 'tag_exists') return { name: t('tags.exists') }
      if (code === 'limit_reached') return t('limit.tags', { n: ACCOUNT_LIMITS.tags })
      return status === 404 ? t('tags.gone') : undefined
    },
  })
  return (
    <FormDialog title={tag ? t('tags.edit') : t('tags.add')} of={form} isInPlace={isInPlace} onClose={onClose}>
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

const NAMES = {
  '#1f6fb2': 'blue',
  '#d9622b': 'orange',
  '#2e7d32': 'green',
  '#b3261e': 'red',
  '#7b4fb5': 'purple',
  '#00798c': 'teal',
  '#b8860b': 'gold',
  '#6b7280': 'grey',
  '#c2185b': 'pink',
  '#6d4c41': 'brown',
} as const satisfies Record<(typeof TAG_COLORS)[number], string>

const PALETTE = TAG_COLORS.map((value) => ({ value, name: NAMES[value] }))
const isInPalette = (value: string) => PALETTE.some((color) => color.value === value)

function ColorField({ name, defaultValue }: { name: string; defaultValue?: string | undefined }) {
  const { t } = useTranslation()
  const legend = useId()
  const [value, setValue] = useState<string>(defaultValue ?? TAG_COLORS[0])
  const isOwn = !isInPalette(value)
  return (
    <fieldset className={classes.colors} aria-labelledby={legend}>
      <legend id={legend}>{t('tags.color')}</legend>
      <input type="hidden" name={name} value={value} />
      {PALETTE.map((color) => (
        <label
          key={color.name}
          className={classes.color}
          style={{ '--tag': color.value } as CSSProperties}
          title={t(`tags.colors.${color.name}`)}
        >
          <input
            type="radio"
            name={`${legend}-palette`}
            aria-label={t(`tags.colors.${color.name}`)}
            checked={color.value === value}
            onChange={() => setValue(color.value)}
          />
          {color.value === value && <IconCheck size={20} aria-hidden="true" />}
        </label>
      ))}
      <label
        className={classes.color}
        data-own={!isOwn || undefined}
        style={{ '--tag': isOwn ? value : 'none' } as CSSProperties}
        title={t('tags.custom')}
      >
        <input type="color" aria-label={t('tags.custom')} value={value} onChange={({ target }) => setValue(target.value)} />
        {isOwn ? <IconCheck size={20} aria-hidden="true" /> : <IconColorPicker size={20} aria-hidden="true" />}
      </label>
    </fieldset>
  )
}
