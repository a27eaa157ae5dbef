import { Button } from '@mantine/core'
import { IconPlus, IconUsers } from '@tabler/icons-react'
import { useQuery, useQueryClient, useSuspenseQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { Email } from '#contracts/lib/common.ts'
import { showToast } from '#web/lib/toasts.ts'
import { accountApi, meQuery } from '#web/signed-in/account.queries.ts'
import { Empty } from '#web/ui/feedback/notice.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { TextField } from '#web/ui/form/fields.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { UnsavedGuard } from '#web/ui/overlay/unsaved-guard.tsx'
import { Page } from '#web/ui/page.tsx'
import classes from './team.module.css'
import { teamQuery } from './team.queries.ts'
import { NewUserDialog } from './user-dialogs.tsx'
import { UserRow } from './user-row.tsx'

export default function UsersScreen() {
  const { t } = useTranslation()
  const isLoaded = useQuery({ ...teamQuery(), enabled: false }).data !== undefined
  const [isAdding, setAdding] = useState(false)
  const add = (
    <Button h={44} leftSection={<IconPlus size={18} />} onClick={() => setAdding(true)}>
      {t('team.add')}
    </Button>
  )
  return (
    <Page isNarrow isInAccount title={t('title.administrationUsers')} lead={t('team.lead')} actions={isLoaded && add}>
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
  return (
    <>
      <ul className={classes.users}>
        {users.map((user) => (
          <UserRow key={user.id} user={user} isOwn={user.id === me.id} />
        ))}
      </ul>
      {users.every(({ id }) => id === me.id) && (
        <Empty icon={<IconUsers size={30} />} title={t('team.none')}>
          {t('team.noneLead')}
        </Empty>
      )}
      <AdminEmail email={me.admin_email} />
    </>
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
        <TextField
          {...field('admin_email')}
          type="email"
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
