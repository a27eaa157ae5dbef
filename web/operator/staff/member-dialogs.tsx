import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { operatorApi } from '#contracts/operator/index.ts'
import type { StaffMember } from '#contracts/operator/staff.ts'
import { type ApiError, ignoreGone } from '#web/lib/api/api-error.ts'
import { showToast } from '#web/lib/toasts.ts'
import { staffApi } from '#web/operator/session/operator.api.ts'
import { AddressField, RequiredLegend, TextField } from '#web/ui/form/fields.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { RoleField } from './role-field.tsx'
import { staffQuery } from './staff.queries.ts'

/** The link for a new member, to pass on by hand if the mail does not arrive. */
export type NewLink = { email: string; link: string }

type AddProps = { onAdded: (added: NewLink) => void; onClose: () => void }

export function AddMemberDialog({ onAdded, onClose }: AddProps) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const form = useForm({
    schema: operatorApi.staff.add.body,
    submit: async ({ name, ...body }) => {
      const { member, invitation } = await staffApi.add({ body: { ...body, ...(name && { name }) } })
      onClose()
      onAdded({ email: member.email, link: invitation })
      await queries.invalidateQueries(staffQuery())
    },
    words: { email: t('error.email') },
    failure: ({ code }) => (code === 'email_exists' ? { email: t('operator.staff.exists') } : undefined),
  })
  return (
    <FormDialog title={t('operator.staff.add')} of={form} action={t('operator.staff.invite')} onClose={onClose}>
      <AddressField {...form.field('email')} required label={t('operator.email')} autoComplete="off" />
      <TextField
        {...form.field('name')}
        required
        maxLength={2 * TEXT_LENGTH.personName}
        label={t('operator.staff.name')}
        autoComplete="off"
      />
      <RoleField {...form.field('role')} />
      <RequiredLegend />
    </FormDialog>
  )
}

type MemberProps = { member: StaffMember; onClose: () => void }

export function ChangeRoleDialog({ member: { id, name, role }, onClose }: MemberProps) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const form = useForm({
    schema: operatorApi.staff.change.body,
    submit: async (body) => {
      await staffApi.change({ params: { id }, body })
      showToast(t('form.saved'))
      onClose()
      await queries.invalidateQueries(staffQuery())
    },
    failure: useLastAdministrator(),
  })
  return (
    <FormDialog title={t('operator.staff.changeOf', { name })} lead={t('operator.staff.changeLead')} of={form} onClose={onClose}>
      <RoleField {...form.field('role')} role={role} />
    </FormDialog>
  )
}

export function RemoveMemberDialog({ member: { id, name }, onClose }: MemberProps) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const remove = async () => {
    await staffApi.remove({ params: { id } }).catch(ignoreGone)
    showToast(t('operator.staff.removed', { name }))
    await queries.invalidateQueries(staffQuery())
  }
  return (
    <ConfirmDialog
      title={t('operator.staff.removeAsk', { name })}
      action={t('operator.staff.remove')}
      isDanger
      onConfirm={remove}
      onClose={onClose}
      failure={useLastAdministrator()}
    >
      {t('operator.staff.removeLead')}
    </ConfirmDialog>
  )
}

function useLastAdministrator() {
  const { t } = useTranslation()
  return ({ code }: ApiError) => (code === 'last_administrator' ? t('operator.staff.last') : undefined)
}
