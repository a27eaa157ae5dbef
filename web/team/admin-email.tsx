import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { Email } from '#contracts/lib/common.ts'
import { showToast } from '#web/lib/toasts.ts'
import { calls } from '#web/signed-in/account.calls.ts'
import { meQuery } from '#web/signed-in/account.queries.ts'
import { TextField } from '#web/ui/form/fields.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { UnsavedGuard } from '#web/ui/overlay/unsaved-guard.tsx'
import classes from './team.module.css'

/** An empty field clears the address. */
const Nobody = z.pipe(
  z.literal(''),
  z.transform(() => null),
)
const Change = z.object({ admin_email: z.union([Nobody, Email]) })

/** Contact address of the account's administration. */
export function AdminEmail({ email }: { email: string | null }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { form, field, isBusy, isDirty, failure } = useForm({
    schema: Change,
    submit: async (body) => {
      const { admin_email } = await calls.changeSettings({ body })
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
