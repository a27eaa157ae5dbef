import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { NewTeamUser } from '#contracts/team.ts'
import { showToast } from '#web/lib/toasts.ts'
import { TextField } from '#web/ui/form/fields.tsx'
import { RequiredLegend } from '#web/ui/form/required-legend.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { NameFields } from './name-fields.tsx'
import { calls } from './team.calls.ts'
import { teamQuery } from './team.queries.ts'
import { TrackerTicks } from './tracker-ticks.tsx'

const NewUser = z.pick(NewTeamUser, { email: true, first_name: true, last_name: true })

export function NewUserDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [devices, setDevices] = useState<number[]>([])
  const form = useForm({
    schema: NewUser,
    submit: async (user) => {
      const { email } = await calls.invite({ body: { ...user, devices } })
      showToast(t('team.added', { email }))
      await queries.invalidateQueries({ queryKey: teamQuery().queryKey })
      onClose()
    },
    words: { email: t('error.email') },
    failure: ({ code }) => (code === 'email_exists' ? t('team.email_exists') : undefined),
  })
  return (
    <FormDialog title={t('team.add')} of={form} action={t('team.invite')} onClose={onClose}>
      <TextField {...form.field('email')} type="email" required label={t('team.email')} autoComplete="off" />
      <NameFields field={form.field} />
      <TrackerTicks chosen={devices} onChange={setDevices} />
      <RequiredLegend />
    </FormDialog>
  )
}
