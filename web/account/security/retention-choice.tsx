import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RETENTION_DAYS } from '#contracts/accounts/retention.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { useRecentSignIn } from '#web/signed-in/recent-sign-in/use-recent-sign-in.tsx'
import { retentionApi, retentionQuery } from '#web/signed-in/retention.queries.ts'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import classes from './security.module.css'

type Days = (typeof RETENTION_DAYS)[number] | null

/** How long positions of the account are stored. */
export function RetentionChoice() {
  const { t } = useTranslation()
  const formats = useFormats()
  const queries = useQueryClient()
  const { confirmed, dialog } = useRecentSignIn()
  const { data } = useSuspenseQuery(retentionQuery())
  const [asked, setAsked] = useState<Days | undefined>(undefined)
  const save = async (days: Days) => {
    const saved = await confirmed((options) => retentionApi.change({ body: { days } }, options))
    queries.setQueryData(retentionQuery().queryKey, saved)
  }
  const name = (days: number | null) => (days === null ? t('security.retention.always') : t('security.retention.days', { count: days }))
  const choices = [null, ...RETENTION_DAYS]
  const shown = choices.some((days) => days === data.days) ? choices : [...choices, data.days]
  return (
    <>
      <SelectField
        label={t('security.retention.label')}
        description={
          data.next_removal ? t('security.retention.next', { time: formats.dateTime(data.next_removal) }) : t('security.retention.lead')
        }
        value={String(data.days)}
        onChange={({ target }) => setAsked(target.value === 'null' ? null : (Number(target.value) as Days))}
        data={shown.map((days) => ({ value: String(days), label: name(days) }))}
        className={classes.choice ?? ''}
      />
      {asked !== undefined && (
        <ConfirmDialog
          title={t('security.retention.label')}
          action={t('action.save')}
          isDanger={asked !== null}
          onConfirm={() => save(asked)}
          onClose={() => setAsked(undefined)}
        >
          {asked === null ? t('security.retention.askAlways') : t('security.retention.ask', { period: name(asked) })}
        </ConfirmDialog>
      )}
      {dialog}
    </>
  )
}
