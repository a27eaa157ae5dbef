import { Button } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate } from 'react-router-dom'
import * as z from 'zod/mini'
import { normalizeIdentifier, normalizeSerial } from '#contracts/rules/reading/text.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { Part } from '#web/ui/feedback/part.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { TextField } from '#web/ui/form/fields.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { UnsavedGuard } from '#web/ui/overlay/unsaved-guard.tsx'
import classes from './conflict.module.css'
import { attemptsQuery, conflictApi } from './conflict.queries.ts'
import { ConflictPage } from './conflict-page.tsx'
import { type Conflict, conflict, printedNumber } from './saved-conflict.ts'
import { readAttempts, requestUnlink, UnlinkResultNotice, useUnlinkRequest } from './unlink-request.tsx'

export default function SerialScreen() {
  const { t } = useTranslation()
  return (
    <ConflictPage title={t('title.conflictingSerial')} back={{ to: '/conflicting-security', label: t('title.conflictingSecurity') }}>
      {(known) => (known.request ? <Check found={known} request={known.request} /> : <Navigate to="/conflicting-unlink" replace />)}
    </ConflictPage>
  )
}

type Request = NonNullable<Conflict['request']>

/** Attempts are counted by ID, so a user who entered the S/N is asked for the ID. */
function Check({ found, request }: { found: Conflict; request: Request }) {
  const [known, setKnown] = useState(found)
  const learn = (identifier: string) => {
    const next = { ...known, identifier }
    conflict.save(next)
    setKnown(next)
  }
  if (!known.identifier) return <IdentifierForm onKnown={learn} />
  return (
    <Part skeleton={<SkeletonRows count={2} />}>
      <Attempts known={known} identifier={known.identifier} request={request} />
    </Part>
  )
}

function Attempts(props: { known: Conflict; identifier: string; request: Request }) {
  const { t } = useTranslation()
  const attempts = useSuspenseQuery(attemptsQuery(props.identifier)).data
  if (!attempts) return <FormAlert>{t('add.conflict.unknown')}</FormAlert>
  if (attempts.locked) return <Navigate to="/conflicting-fail" replace />
  return <SerialForm {...props} remaining={attempts.remaining_attempts} />
}

const SerialEntry = z.object({ serial: z.string().check(z.refine((text) => normalizeSerial(text) !== null)) })

type Props = { known: Conflict; identifier: string; request: NonNullable<Conflict['request']>; remaining: number }

/** The correct S/N returns a proof with which the request is accepted at once; a wrong one costs an attempt. */
function SerialForm({ known, identifier, request, remaining }: Props) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { result, submitRequest, failure } = useUnlinkRequest()
  const count = (left: number) =>
    queries.setQueryData(attemptsQuery(identifier).queryKey, (check) => check && { ...check, remaining_attempts: left, locked: left === 0 })
  const prove = async (serial: string) => {
    try {
      return (await conflictApi.serial.check({ body: { identifier, serial } })).serial_proof
    } catch (error) {
      const left = error instanceof ApiError ? readAttempts(error) : undefined
      if (left !== undefined) count(left)
      throw error
    }
  }
  const form = useForm({
    schema: SerialEntry,
    submit: ({ serial }) => submitRequest(async () => requestUnlink(known, request, { serial_proof: await prove(serial) })),
    words: { serial: t('add.invalidSerial') },
    failure: (error) => (error.code === 'serial_mismatch' ? t('add.conflict.failed') : failure(error)),
  })
  if (result) return <UnlinkResultNotice known={known} result={result} />
  return (
    <form {...form.form} className={classes.form}>
      <p className={classes.note}>{t('add.conflict.serialLead', { number: printedNumber(known) })}</p>
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

const Entry = z.object({ identifier: z.string().check(z.refine((text) => normalizeIdentifier(text) !== null)) })

function IdentifierForm({ onKnown }: { onKnown: (identifier: string) => void }) {
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
