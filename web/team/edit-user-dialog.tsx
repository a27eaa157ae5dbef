import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { NewTeamUser, type TeamUser } from '#contracts/team.ts'
import { showToast } from '#web/lib/toasts.ts'
import { RequiredLegend } from '#web/ui/form/required-legend.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { NameFields } from './name-fields.tsx'
import { calls } from './team.calls.ts'
import { teamQuery } from './team.queries.ts'
import { TrackerTicks } from './tracker-ticks.tsx'

const Names = z.pick(NewTeamUser, { first_name: true, last_name: true })

/** Changes the name of a user and the trackers they see; administrators see all trackers. */
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
