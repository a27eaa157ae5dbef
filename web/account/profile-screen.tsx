import { Button } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import * as z from 'zod/mini'
import { PersonName } from '#contracts/accounts/users.ts'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { orderNames } from '#contracts/rules/user.ts'
import { showToast } from '#web/lib/toasts.ts'
import { accountApi, settingsQuery } from '#web/signed-in/account.queries.ts'
import { BirthDate } from '#web/signed-in/birth-date.ts'
import { userKeys } from '#web/signed-in/user.queries.ts'
import { Part } from '#web/ui/feedback/part.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { DateField } from '#web/ui/form/date-field.tsx'
import { RequiredLegend, TextField } from '#web/ui/form/fields.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { UnsavedGuard } from '#web/ui/overlay/unsaved-guard.tsx'
import { Page } from '#web/ui/page.tsx'
import classes from './account.module.css'

export default function ProfileScreen() {
  const { t } = useTranslation()
  return (
    <Page title={t('title.accountProfilUpdate')} back={{ to: '/account', label: t('title.account') }} isNarrow>
      <div className={classes.card}>
        <Part skeleton={<SkeletonRows count={3} />}>
          <ProfileForm />
        </Part>
      </div>
    </Page>
  )
}

const Form = z.object({ firstname: PersonName, lastname: PersonName, birthday: BirthDate })

function ProfileForm() {
  const { t, i18n } = useTranslation()
  const settings = useSuspenseQuery(settingsQuery()).data
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { form, field, isBusy, isDirty, failure } = useForm({
    schema: Form,
    submit: async ({ birthday, ...names }) => {
      queries.setQueryData(settingsQuery().queryKey, await accountApi.changeSettings({ body: { ...names, birthday: birthday || null } }))
      void queries.invalidateQueries({ queryKey: userKeys.me })
      showToast(t('form.saved'))
      await navigate('/account')
    },
    words: { birthday: t('account.field.birthDateWrong') },
  })
  const name = { maxLength: TEXT_LENGTH.personName, required: true }
  return (
    <form {...form}>
      <UnsavedGuard isDirty={isDirty} />
      <div className={classes.form}>
        <FormAlert>{failure}</FormAlert>
        {orderNames(
          <TextField
            key="first"
            {...field('firstname')}
            {...name}
            label={t('account.field.firstName')}
            defaultValue={settings.firstname}
            autoComplete="given-name"
          />,
          <TextField
            key="last"
            {...field('lastname')}
            {...name}
            label={t('account.field.lastName')}
            defaultValue={settings.lastname}
            autoComplete="family-name"
          />,
          i18n.language,
        )}
        <DateField
          {...field('birthday')}
          type="date"
          label={t('account.field.birthDate')}
          defaultValue={settings.birthday ?? ''}
          autoComplete="bday"
        />
        <RequiredLegend />
        <Button type="submit" h={44} loading={isBusy} className={classes.submit ?? ''}>
          {t('action.save')}
        </Button>
      </div>
    </form>
  )
}
