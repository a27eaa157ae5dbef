import { Button } from '@mantine/core'
import { IconPlus, IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TeamUser } from '#contracts/team.ts'
import { meQuery } from '#web/signed-in/account.queries.ts'
import { Empty } from '#web/ui/empty.tsx'
import { Failure } from '#web/ui/failure.tsx'
import { Page } from '#web/ui/page.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'
import { AdminEmail } from './admin-email.tsx'
import { NewUserDialog } from './new-user-dialog.tsx'
import classes from './team.module.css'
import { teamQuery } from './team.queries.ts'
import { UserRow } from './user-row.tsx'

/** Users of a pro account and the contact address of its administration. */
export default function UsersScreen() {
  const { t } = useTranslation()
  const users = useQuery(teamQuery())
  const me = useQuery(meQuery())
  const [isAdding, setAdding] = useState(false)
  const add = (
    <Button h={44} leftSection={<IconPlus size={18} />} onClick={() => setAdding(true)}>
      {t('team.add')}
    </Button>
  )
  const isLoaded = users.data !== undefined && me.data !== undefined
  const hasFailed = !isLoaded && (users.isError || me.isError)
  const retry = () => void Promise.all([users.refetch(), me.refetch()])
  return (
    <Page isNarrow title={t('title.administrationUsers')} lead={t('team.lead')} actions={isLoaded && add}>
      {hasFailed && <Failure retry={retry} />}
      {!isLoaded && !hasFailed && <SkeletonRows count={3} />}
      {isLoaded && (
        <>
          <Team users={users.data} own={me.data.id} />
          <AdminEmail email={me.data.admin_email} />
        </>
      )}
      {isAdding && <NewUserDialog onClose={() => setAdding(false)} />}
    </Page>
  )
}

function Team({ users, own }: { users: readonly TeamUser[]; own: number }) {
  const { t } = useTranslation()
  return (
    <>
      <ul className={classes.users}>
        {users.map((user) => (
          <UserRow key={user.id} user={user} isOwn={user.id === own} />
        ))}
      </ul>
      {users.every(({ id }) => id === own) && (
        <Empty icon={<IconUsers size={30} />} title={t('team.none')}>
          {t('team.noneLead')}
        </Empty>
      )}
    </>
  )
}
