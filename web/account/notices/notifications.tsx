import { Button } from '@mantine/core'
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import classes from '#web/account/account.module.css'
import { showToast } from '#web/lib/toasts.ts'
import { CheckboxField } from '#web/ui/form/checkbox-field.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { isPushBlocked, subscribeBrowser, unsubscribeBrowser } from './browser-push.ts'
import { pushApi, pushQuery } from './notices.queries.ts'

/** Whether this browser shows alerts as notifications. */
export function Notifications() {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { queryKey } = pushQuery()
  const { public_key: publicKey, on } = useSuspenseQuery(pushQuery()).data
  const change = useMutation({
    mutationFn: async (isOn: boolean) => {
      if (!isOn) {
        await unsubscribeBrowser()
        return pushApi.unsubscribe()
      }
      const subscription = await subscribeBrowser(publicKey)
      return subscription ? pushApi.subscribe({ body: subscription }) : null
    },
    onSuccess: (state) => state && queries.setQueryData(queryKey, state),
  })
  const test = useMutation({ mutationFn: () => pushApi.test(), onSuccess: () => showToast(t('account.push.sent')) })
  const isBlocked = isPushBlocked()
  return (
    <>
      <FormAlert>{change.isError || test.isError ? t('error.general') : null}</FormAlert>
      <CheckboxField
        checked={change.isPending ? change.variables : on}
        disabled={isBlocked && !on}
        aria-busy={change.isPending || undefined}
        onChange={({ target }) => !change.isPending && change.mutate(target.checked)}
        hint={isBlocked ? t('account.push.blocked') : t('account.push.hint')}
      >
        {t('account.push.label')}
      </CheckboxField>
      {on && (
        <Button variant="default" h={44} className={classes.pushTest ?? ''} loading={test.isPending} onClick={() => test.mutate()}>
          {t('account.push.test')}
        </Button>
      )}
    </>
  )
}
