import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { QuietHours as Saved } from '#contracts/accounts/quiet-hours.ts'
import classes from '#web/account/account.module.css'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { showToast } from '#web/lib/toasts.ts'
import { CheckboxField } from '#web/ui/form/checkbox-field.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { quietHoursApi, quietHoursQuery } from './notices.queries.ts'

type Quiet = NonNullable<Saved['quiet']>

const USUAL: Quiet = { from: '22:00', to: '07:00' }
const HALF_HOURS = Array.from({ length: 48 }, (_, n) => `${String(Math.floor(n / 2)).padStart(2, '0')}:${n % 2 ? '30' : '00'}`)

/** Hours in which alerts wait. */
export function QuietHours({ zone }: { zone: string | null }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const queries = useQueryClient()
  const { quiet, waiting } = useSuspenseQuery(quietHoursQuery()).data
  const { queryKey } = quietHoursQuery()
  const save = useMutation({
    mutationFn: (change: Saved['quiet']) => quietHoursApi.change({ body: { quiet: change } }),
    onSuccess: (saved) => {
      queries.setQueryData(queryKey, saved)
      showToast(t('form.saved'))
    },
  })
  const shown = save.isPending ? save.variables : quiet
  const offer = (own: string, other: string) =>
    [...new Set([...HALF_HOURS, own])]
      .filter((time) => time !== other)
      .toSorted()
      .map((time) => ({ value: time, label: formats.time(new Date(`2026-01-15T${time}`)) }))
  return (
    <>
      <FormAlert>{save.isError ? t('error.general') : null}</FormAlert>
      <CheckboxField
        checked={shown !== null}
        onChange={({ target }) => save.mutate(target.checked ? USUAL : null)}
        hint={t('account.quiet.hint')}
      >
        {t('account.quiet.label')}
      </CheckboxField>
      {shown && (
        <div className={classes.hours}>
          <SelectField
            label={t('account.quiet.from')}
            value={shown.from}
            onChange={({ target }) => save.mutate({ ...shown, from: target.value })}
            data={offer(shown.from, shown.to)}
          />
          <SelectField
            label={t('account.quiet.to')}
            value={shown.to}
            onChange={({ target }) => save.mutate({ ...shown, to: target.value })}
            data={offer(shown.to, shown.from)}
          />
          <small>
            {t('account.quiet.zone', { zone: (zone ?? 'UTC').replaceAll('_', ' ') })}
            {waiting > 0 && ` · ${t('account.quiet.waiting', { count: waiting })}`}
          </small>
        </div>
      )}
    </>
  )
}
