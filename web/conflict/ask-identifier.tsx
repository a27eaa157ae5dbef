import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { normalizeIdentifier } from '#contracts/rules/identifier.ts'
import { TextField } from '#web/ui/form/fields.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { UnsavedGuard } from '#web/ui/overlay/unsaved-guard.tsx'
import classes from './conflict.module.css'

const Entry = z.object({ identifier: z.string().check(z.refine((text) => normalizeIdentifier(text) !== null)) })

/** Asks for the ID of a tracker that was entered by its S/N. */
export function AskIdentifier({ onKnown }: { onKnown: (identifier: string) => void }) {
  const { t } = useTranslation()
  const { form, field, isDirty } = useForm({
    schema: Entry,
    submit: async ({ identifier }) => onKnown(normalizeIdentifier(identifier) ?? ''),
    words: { identifier: t('add.invalidId') },
  })
  return (
    <form {...form} className={classes.form}>
      <p className={classes.note}>{t('add.conflict.askId')}</p>
      <TextField
        {...field('identifier')}
        label={t('tracker.identifier')}
        description={t('add.identifierHint')}
        required
        inputMode="numeric"
        autoComplete="off"
      />
      <Button type="submit" h={44}>
        {t('add.conflict.next')}
      </Button>
      <UnsavedGuard isDirty={isDirty} />
    </form>
  )
}
