import { Button } from '@mantine/core'
import { IconPencil, IconPlus, IconSend, IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { STAFF_INVITATION_DAYS, type StaffMember } from '#contracts/operator/staff.ts'
import { useNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { showToast } from '#web/lib/toasts.ts'
import { staffApi } from '#web/operator/session/operator.api.ts'
import { roleName } from '#web/operator/session/role-name.ts'
import { SortedTable } from '#web/operator/workbench/sorted-table.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Page } from '#web/ui/page.tsx'
import { AddMemberDialog, ChangeRoleDialog, type NewLink, RemoveMemberDialog } from './member-dialogs.tsx'
import { SecretDialog } from './secret-dialog.tsx'
import { staffQuery } from './staff.queries.ts'
import { StaffKeys } from './staff-keys.tsx'
import classes from './staff-screen.module.css'

type Open = { is: 'add' } | { is: 'change' | 'remove'; member: StaffMember } | ({ is: 'link' } & NewLink)

/** The members of staff, and the keys for other systems of the company. */
export default function StaffScreen() {
  const { t } = useTranslation()
  const count = useQuery({ ...staffQuery(), enabled: false }).data?.length
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const add = (
    <Button h={44} leftSection={<IconPlus size={18} />} onClick={() => setOpen({ is: 'add' })}>
      {t('operator.staff.add')}
    </Button>
  )
  return (
    <Page title={t('operator.screens.staff')} {...(count !== undefined && { count })} lead={t('operator.staff.lead')} actions={add}>
      <Part>
        <Members onOpen={setOpen} />
      </Part>
      <Part>
        <StaffKeys />
      </Part>
      {open?.is === 'add' && <AddMemberDialog onAdded={(added) => setOpen({ is: 'link', ...added })} onClose={close} />}
      {open?.is === 'change' && <ChangeRoleDialog member={open.member} onClose={close} />}
      {open?.is === 'remove' && <RemoveMemberDialog member={open.member} onClose={close} />}
      {open?.is === 'link' && (
        <SecretDialog
          title={t('operator.staff.link', { email: open.email })}
          lead={t('operator.staff.linkLead', { days: STAFF_INVITATION_DAYS })}
          secret={open.link}
          copy={t('operator.staff.copyLink')}
          onClose={close}
        />
      )}
    </Page>
  )
}

function Members({ onOpen }: { onOpen: (open: Open) => void }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const now = useNow()
  const { data: members } = useSuspenseQuery(staffQuery())
  return (
    <SortedTable<StaffMember>
      label={t('operator.screens.staff')}
      rows={members}
      keyOf={({ id }) => id}
      columns={[
        { head: t('operator.staff.name'), sort: 'name', value: ({ name }) => name, cell: ({ name }) => name },
        { head: t('operator.email'), sort: 'email', value: ({ email }) => email, cell: ({ email }) => email },
        {
          head: t('operator.staff.role'),
          sort: 'role',
          value: ({ role }) => roleName(t, role),
          cell: ({ role }) => roleName(t, role),
        },
        { head: t('operator.staff.state'), sort: 'state', value: ({ state }) => state, cell: ({ state }) => <State state={state} /> },
        {
          head: t('operator.staff.lastSeen'),
          sort: 'seen',
          value: ({ last_seen_at }) => last_seen_at,
          cell: ({ last_seen_at }) => (last_seen_at ? formats.age(last_seen_at, now) : t('operator.staff.never')),
        },
        {
          head: t('operator.actions'),
          isUnlabelled: true,
          isEnd: true,
          cell: (member) => <MemberActions member={member} onOpen={onOpen} />,
        },
      ]}
    />
  )
}

function State({ state }: { state: string }) {
  const { t } = useTranslation()
  return <Badge tone={state === 'invited' ? 'warn' : 'good'}>{t(`operator.staff.${state === 'invited' ? 'invited' : 'active'}`)}</Badge>
}

function MemberActions({ member, onOpen }: { member: StaffMember; onOpen: (open: Open) => void }) {
  const { t } = useTranslation()
  const { name, state } = member
  const invite = useInviteAgain((added) => onOpen({ is: 'link', ...added }))
  return (
    <span className={classes.actions}>
      {state === 'invited' && <IconButton label={t('operator.staff.again')} of={name} Icon={IconSend} onClick={() => invite(member)} />}
      <IconButton label={t('operator.staff.change')} of={name} Icon={IconPencil} onClick={() => onOpen({ is: 'change', member })} />
      <IconButton label={t('operator.staff.remove')} of={name} Icon={IconTrash} onClick={() => onOpen({ is: 'remove', member })} />
    </span>
  )
}

/** Adding an invited member again ends the older link. */
function useInviteAgain(onAdded: (added: NewLink) => void) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: ({ email, name, role }: StaffMember) => staffApi.add({ body: { email, name, role: role as 'admin' } }),
    onSuccess: ({ member, invitation }) => onAdded({ email: member.email, link: invitation }),
    onError: () => showToast(t('error.general')),
    onSettled: () => queries.invalidateQueries(staffQuery()),
  })
  return mutate
}
