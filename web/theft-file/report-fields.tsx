import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import type { TheftReport } from '#contracts/theft.ts'
import { clock } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { DateField } from '#web/ui/form/date-field.tsx'
import { RequiredLegend, TextField } from '#web/ui/form/fields.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { TextAreaField } from '#web/ui/form/text-area-field.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { UnsavedGuard } from '#web/ui/overlay/unsaved-guard.tsx'
import { type Departure, departureWords, placeWords } from './departure.ts'
import classes from './theft-file.module.css'
import { reportQuery, theftApi } from './theft-file.queries.ts'
import { buildReport, formatDateTimeLocal, ReportForm } from './theft-report.ts'

type Props = {
  device: number
  report: TheftReport | null
  /** Fills in a new report. */
  departure?: Departure | null | undefined
  onDone: () => void
  onCancel?: () => void
}

export function ReportFields({ device, report, departure, onDone, onCancel }: Props) {
  const { t } = useTranslation()
  const formats = useFormats()
  const queries = useQueryClient()
  const { queryKey } = reportQuery(device)
  // The report may have been opened or closed elsewhere.
  const reloadAndRethrow = (error: unknown) => {
    void queries.invalidateQueries({ queryKey })
    throw error
  }
  const { form, field, isBusy, isDirty, failure } = useForm({
    schema: ReportForm,
    words: { date: t('theft.future') },
    submit: async (values) => {
      const body = buildReport(values)
      const params = { id: device }
      const saved = await (report ? theftApi.change({ params, body }) : theftApi.open({ params, body })).catch(reloadAndRethrow)
      queries.setQueryData(queryKey, saved)
      onDone()
    },
    failure: ({ code }) => (code === 'theft_open' ? t('theft.alreadyOpen') : undefined),
  })
  return (
    <form {...form} className={classes.form}>
      <FormAlert>{failure}</FormAlert>
      {departure && <p className={classes.hint}>{departureWords(t, formats, departure)}</p>}
      <DateField
        {...field('date')}
        type="datetime-local"
        label={t('theft.date')}
        defaultValue={formatDateTimeLocal(report?.date ?? departure?.at ?? '')}
        max={formatDateTimeLocal(clock.now())}
        required
      />
      <TextField
        {...field('address')}
        label={t('theft.address')}
        defaultValue={report?.address ?? placeWords(departure)}
        maxLength={TEXT_LENGTH.address}
        required
      />
      <TextAreaField
        {...field('description')}
        label={t('theft.description')}
        defaultValue={report?.description}
        maxLength={TEXT_LENGTH.description}
        required
      />
      <TextField
        {...field('police_reference')}
        label={t('theft.police')}
        description={t('theft.policeHint')}
        defaultValue={report?.police_reference ?? ''}
        maxLength={TEXT_LENGTH.policeReference}
      />
      <RequiredLegend />
      <div className={classes.buttons}>
        <Button type="submit" h={44} loading={isBusy}>
          {report ? t('action.save') : t('theft.submit')}
        </Button>
        {onCancel && (
          <Button variant="default" h={44} onClick={onCancel}>
            {t('action.cancel')}
          </Button>
        )}
      </div>
      <UnsavedGuard isDirty={isDirty} />
    </form>
  )
}
