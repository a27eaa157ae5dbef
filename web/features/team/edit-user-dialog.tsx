import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { NewTeamUser, type TeamUser } from '#contracts/team.ts'
import { showToast } from '#web/lib/toasts.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { RequiredLegend } from '#web/ui/required-legend.tsx'
import { useForm } from '#web/ui/use-form.ts'
import { calls } from './calls.ts'
import { NameFields } from './name-fields.tsx'
import { teamQuery } from './queries.ts'
import { TrackerTicks } from './tracker-ticks.tsx'

const Names = z.pick(NewTeamUser, { first_name: true, last_name: true })

/** Changes what somebody is called and which trackers they see (E-94); the administrator sees them all. */
export function EditUserDialog({ user, onClose }: { user: TeamUser; onClose: () => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [devices, setDevices] = useState(user.devices)
  const seesAll = user.role === 'admin'
  const form = useForm({
    schema: Names,
    submit: async (names) => {
      await calls.change({ params: { id: user.id }, body: seesAll ? names : { ...names, devices } })
      showToast(t('form.saved'))
      await queries.invalidateQueries({ queryKey: teamQuery().queryKey })
      onClose()
    },
  })
  return (
    <FormDialog title={t('team.edit')} lead={user.email} of={form} onClose={onClose}>
      <NameFields field={form.field} user={user} />
      {!seesAll && <TrackerTicks chosen={devices} onChange={setDevices} />}
      <RequiredLegend />
    </FormDialog>
  )
}
