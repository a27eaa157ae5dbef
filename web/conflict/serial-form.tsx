import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { normalizeSerial } from '#contracts/rules/identifier.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { TextField } from '#web/ui/form/fields.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { UnsavedGuard } from '#web/ui/overlay/unsaved-guard.tsx'
import { askUnlink } from './ask-unlink.ts'
import { calls } from './conflict.calls.ts'
import classes from './conflict.module.css'
import { attemptsQuery } from './conflict.queries.ts'
import { RequestAnswer } from './request-answer.tsx'
import { type Conflict, numberOf } from './saved-conflict.ts'
import { useAsking } from './use-asking.ts'

const SerialEntry = z.object({ serial: z.string().check(z.refine((text) => normalizeSerial(text) !== null)) })

type Props = { known: Conflict; identifier: string; request: NonNullable<Conflict['request']>; remaining: number }

/** The right S/N returns a proof with which the request is accepted at once; a wrong one costs an attempt. */
export function SerialForm({ known, identifier, request, remaining }: Props) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { asked, ask, failure } = useAsking()
  const count = (left: number) =>
    queries.setQueryData(attemptsQuery(identifier).queryKey, (check) => check && { ...check, remaining_attempts: left, locked: left === 0 })
  const prove = async (serial: string) => {
    try {
      return (await calls.serial.check({ body: { identifier, serial } })).serial_proof
    } catch (error) {
      const left = error instanceof ApiError ? error.extras.remaining_attempts : undefined
      if (typeof left === 'number') count(left)
      throw error
    }
  }
  const form = useForm({
    schema: SerialEntry,
    submit: ({ serial }) => ask(async () => askUnlink(known, request, { serial_proof: await prove(serial) })),
    words: { serial: t('add.invalidSerial') },
    failure: (error) => (error.code === 'serial_mismatch' ? t('add.conflict.failed') : failure(error)),
  })
  if (asked) return <RequestAnswer known={known} asked={asked} />
  return (
    <form {...form.form} className={classes.form}>
      <p className={classes.note}>{t('add.conflict.serialLead', { number: numberOf(known) })}</p>
      <FormAlert>{form.failure}</FormAlert>
      <TextField
        {...form.field('serial')}
        label={t('tracker.serial')}
        description={t('add.serialHint')}
        required
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
      />
      <p className={classes.attempts} role="status">
        {t('add.conflict.attempts', { count: remaining })}
      </p>
      <Button type="submit" h={44} loading={form.isBusy}>
        {t('add.conflict.check')}
      </Button>
      <UnsavedGuard isDirty={form.isDirty} />
    </form>
  )
}
