import { Button } from '@mantine/core'
import { IconPlus, IconTrash, IconUsers } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient, useSuspenseQueries } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import type { TeamUser } from '#contracts/accounts/team.ts'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { Email } from '#contracts/rules/reading/text-fields.ts'
import { personName } from '#contracts/rules/user.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { showToast } from '#web/lib/toasts.ts'
import { accountApi, meQuery } from '#web/signed-in/account.queries.ts'
import { useRecentSignIn } from '#web/signed-in/recent-sign-in/use-recent-sign-in.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Empty } from '#web/ui/feedback/notice.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { AddressField } from '#web/ui/form/fields.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Entries, Entry } from '#web/ui/lists/entry.tsx'
import { Split, useChosen, useIsSplit } from '#web/ui/lists/split.tsx'
import { UnsavedGuard } from '#web/ui/overlay/unsaved-guard.tsx'
import { Page } from '#web/ui/page.tsx'
import classes from './team.module.css'
import { teamApi, teamKeys, teamQuery } from './team.queries.ts'
import { EditUserDialog, NewUserDialog, RemoveUserDialog } from './user-dialogs.tsx'

export default function UsersScreen() {
  const { t } = useTranslation()
  const isLoaded = useQuery({ ...teamQuery(), enabled: false }).data !== undefined
  const isSplit = useIsSplit()
  const [isAdding, setAdding] = useState(false)
  const add = (
    <Button h={44} leftSection={<IconPlus size={18} />} onClick={() => setAdding(true)}>
      {t('team.add')}
    </Button>
  )
  return (
    <Page isNarrow={!isSplit} isInAccount title={t('title.administrationUsers')} lead={t('team.lead')} actions={isLoaded && add}>
      <Part skeleton={<SkeletonRows count={3} />}>
        <Team />
      </Part>
      {isAdding && <NewUserDialog onClose={() => setAdding(false)} />}
    </Page>
  )
}

function Team() {
  const { t } = useTranslation()
  const [{ data: users }, { data: me }] = useSuspenseQueries({ queries: [teamQuery(), meQuery()] })
  const { chosen, to } = useChosen(users, 'id')
  return (
    <Split details={chosen && <EditUserDialog isInPlace key={chosen.id} user={chosen} onClose={() => undefined} />}>
      <Entries label={t('title.administrationUsers')}>
        {users.map((user) => (
          <UserRow key={user.id} user={user} isOwn={user.id === me.id} isChosen={user === chosen} to={to?.(user)} />
        ))}
      </Entries>
      {users.every(({ id }) => id === me.id) && (
        <Empty icon={<IconUsers size={30} />} title={t('team.none')}>
          {t('team.noneLead')}
        </Empty>
      )}
      <AdminEmail email={me.admin_email} />
    </Split>
  )
}

/** An empty field clears the address. */
const NoEmail = z.pipe(
  z.literal(''),
  z.transform(() => null),
)
const Change = z.object({ admin_email: z.union([NoEmail, Email]) })

/** Contact address of the account's administration. */
function AdminEmail({ email }: { email: string | null }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { form, field, isBusy, isDirty, failure } = useForm({
    schema: Change,
    submit: async (body) => {
      const { admin_email } = await accountApi.changeSettings({ body })
      queries.setQueryData(meQuery().queryKey, (me) => me && { ...me, admin_email })
      showToast(t('form.saved'))
    },
    words: { admin_email: t('error.email') },
  })
  return (
    <section className={classes.card} aria-label={t('team.adminEmail')}>
      <form {...form} className={classes.form}>
        <FormAlert>{failure}</FormAlert>
        <AddressField
          {...field('admin_email')}
          label={t('team.adminEmail')}
          description={t('team.adminEmailLead')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          defaultValue={email ?? ''}
          autoComplete="email"
        />
        <div>
          <Button type="submit" h={44} loading={isBusy}>
            {t('action.save')}
          </Button>
        </div>
        <UnsavedGuard isDirty={isDirty} />
      </form>
    </section>
  )
}

type RowProps = { user: TeamUser; isOwn: boolean; isChosen: boolean; to: string | undefined }

function UserRow({ user, isOwn, isChosen, to }: RowProps) {
  const { t, i18n } = useTranslation()
  const [open, setOpen] = useState<'edit' | 'remove' | null>(null)
  const { resend, isBusy, problem, dialog } = useResendInvitation(user)
  const name = personName(user.first_name, user.last_name, i18n.language) || user.email
  const close = () => setOpen(null)
  return (
    <>
      <Entry
        name={name}
        to={to}
        isChosen={isChosen}
        more={
          user.status === 'invited' && (
            <Button variant="default" h={44} loading={isBusy} aria-label={`${t('team.resend')}: ${name}`} onClick={resend}>
              {t('team.resend')}
            </Button>
          )
        }
        side={!isOwn && <IconButton label={t('team.remove')} of={name} Icon={IconTrash} onClick={() => setOpen('remove')} />}
        onEdit={to === undefined ? () => setOpen('edit') : undefined}
      >
        <strong>{name}</strong>
        <small>{user.email}</small>
        <small>
          {formatRole(t, user)} · {formatTrackers(t, user)}
        </small>
        <Badge tone={user.status === 'active' ? 'good' : 'warn'}>
          {t(`team.status.${pickListed(['invited'], user.status, 'active')}`)}
        </Badge>
        <FormAlert>{problem}</FormAlert>
      </Entry>
      {dialog}
      {open === 'edit' && <EditUserDialog user={user} onClose={close} />}
      {open === 'remove' && <RemoveUserDialog user={user} name={name} onClose={close} />}
    </>
  )
}

/** Sends the invitation again; the server rejects it if the user has already signed up. */
function useResendInvitation({ id, email }: TeamUser) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { confirmed, dialog } = useRecentSignIn()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => confirmed((options) => teamApi.resendInvitation({ params: { id }, body: {} }, options)),
    onSuccess: () => showToast(t('team.resent', { email })),
    onError: () => void queries.invalidateQueries({ queryKey: teamKeys.all }),
  })
  const isShown = error instanceof ApiError && !error.isLeaving
  const sentence = error instanceof ApiError && error.code === 'already_active' ? t('team.already_active') : t('error.general')
  return { resend: () => mutate(), isBusy: isPending, problem: isShown ? sentence : null, dialog }
}

/** An unknown role is shown as is. */
const formatRole = (t: TFunction, { role }: TeamUser) => (role === 'admin' || role === 'pro' ? t(`team.role.${role}`) : role)

const formatTrackers = (t: TFunction, { role, devices }: TeamUser) => {
  if (role === 'admin') return t('team.allTrackers')
  return devices.length === 0 ? t('team.noTracker') : t('team.trackers', { count: devices.length })
}
