import { Button } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Navigate } from 'react-router-dom'
import * as z from 'zod/mini'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { DateField } from '#web/ui/form/date-field.tsx'
import { TextField } from '#web/ui/form/fields.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { UnsavedGuard } from '#web/ui/overlay/unsaved-guard.tsx'
import classes from './conflict.module.css'
import { ConflictPage, OptionLink } from './conflict-page.tsx'
import { type Conflict, printedNumber } from './saved-conflict.ts'
import { requestUnlink, UnlinkResultNotice, useUnlinkRequest } from './unlink-request.tsx'

const FIELDS = { date: 'purchase_date', place: 'purchase_place', order: 'order_reference' } as const

const Purchase = z
  .object({ purchase_date: z.string(), purchase_place: z.string(), order_reference: z.string() })
  .check(z.refine((fields) => Object.values(fields).some((text) => text.trim() !== ''), { path: [FIELDS.date] }))

/** Proves ownership by the S/N or by the purchase. */
export default function SecurityScreen() {
  const { t } = useTranslation()
  return (
    <ConflictPage title={t('title.conflictingSecurity')} back={{ to: '/conflicting-unlink', label: t('title.conflictingUnlink') }}>
      {(known) => (known.request ? <Proof known={known} request={known.request} /> : <Navigate to="/conflicting-unlink" replace />)}
    </ConflictPage>
  )
}

function Proof({ known, request }: { known: Conflict; request: NonNullable<Conflict['request']> }) {
  const { t } = useTranslation()
  const hasCheck = useFeature('serialChecks')
  const { result, submitRequest, failure } = useUnlinkRequest()
  const form = useForm({
    schema: Purchase,
    submit: (purchase) => {
      const filled = Object.entries(purchase).filter(([, text]) => text.trim() !== '')
      return submitRequest(() => requestUnlink(known, request, Object.fromEntries(filled)))
    },
    words: { purchase_date: t('add.conflict.purchaseMissing') },
    failure,
  })
  if (result) return <UnlinkResultNotice known={known} result={result} />
  return (
    <div className={classes.form}>
      <p className={classes.note}>{t('add.conflict.securityLead', { number: printedNumber(known) })}</p>
      {hasCheck && (
        <OptionLink
          to="/conflicting-serial"
          icon={<IconKey aria-hidden="true" />}
          label={t('add.conflict.serialChoice')}
          hint={t('add.conflict.serialChoiceHint')}
        />
      )}
      <form {...form.form} className={classes.card}>
        <h2>{t('add.conflict.purchase')}</h2>
        <p className={classes.note}>{t('add.conflict.purchaseHint')}</p>
        <FormAlert>{form.failure}</FormAlert>
        <DateField {...form.field(FIELDS.date)} type="date" label={t('add.conflict.purchaseDate')} />
        <TextField {...form.field(FIELDS.place)} label={t('add.conflict.purchasePlace')} maxLength={200} />
        <TextField {...form.field(FIELDS.order)} label={t('add.conflict.order')} maxLength={60} />
        <Button type="submit" h={44} variant="default" loading={form.isBusy}>
          {t('add.conflict.send')}
        </Button>
        <UnsavedGuard isDirty={form.isDirty} />
      </form>
    </div>
  )
}
