import { useTranslation } from 'react-i18next'
import { operatorInvoices } from '#contracts/operator/invoices.ts'
import { saveFile } from '#web/lib/api/download.ts'
import { useNow } from '#web/lib/clock.ts'
import { operatorInvoicesApi } from '#web/operator/session/operator.api.ts'
import { DateField } from '#web/ui/form/date-field.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'

const formatDay = (year: number, month: number, day: number) => new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10)

/** Downloads what an accountant books; by default of the last month. */
export function ExportDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const now = useNow()
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
  const form = useForm({
    schema: operatorInvoices.export.query,
    submit: async ({ from, to }) => {
      const content = await operatorInvoicesApi.export({ query: { from, to } })
      saveFile(content, `accounting-${from}-${to}.csv`, 'text/csv')
      onClose()
    },
    failure: ({ code }) => (code === 'validation_error' ? { to: t('operator.invoices.export.order') } : undefined),
  })
  return (
    <FormDialog
      title={t('operator.invoices.export.title')}
      lead={t('operator.invoices.export.lead')}
      of={form}
      action={t('operator.invoices.export.action')}
      onClose={onClose}
    >
      <DateField
        {...form.field('from')}
        type="date"
        required
        label={t('operator.invoices.export.from')}
        defaultValue={formatDay(year, month - 1, 1)}
      />
      <DateField
        {...form.field('to')}
        type="date"
        required
        label={t('operator.invoices.export.to')}
        defaultValue={formatDay(year, month, 0)}
      />
    </FormDialog>
  )
}
