import { Button } from '@mantine/core'
import { queryOptions, useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { push, type PushSubscription as Subscription } from '#contracts/accounts/push.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'
import { showToast } from '#web/lib/toasts.ts'
import { CheckboxField } from '#web/ui/form/checkbox-field.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import classes from './account.module.css'

/** Whether this browser can show notifications; on an iPhone only the portal on the home screen can. */
export const canPush = () => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

const isPushBlocked = () => Notification.permission === 'denied'

/** Asks for permission and subscribes at the browser's push service; null when the user denies it. */
async function subscribeBrowser(publicKey: string): Promise<Subscription | null> {
  if ((await Notification.requestPermission()) !== 'granted') return null
  const { pushManager } = await navigator.serviceWorker.ready
  // The push service rejects a subscription made with another key.
  await (await pushManager.getSubscription())?.unsubscribe()
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  const { endpoint = '', keys = {} } = made.toJSON()
  const { p256dh = '', auth = '' } = keys
  return { endpoint, keys: { p256dh, auth } }
}

async function unsubscribeBrowser() {
  const { pushManager } = await navigator.serviceWorker.ready
  await (await pushManager.getSubscription())?.unsubscribe()
}

const pushApi = createClient(push, clientPorts)

const pushQuery = () => queryOptions({ queryKey: ['push'], queryFn: ({ signal }) => pushApi.read({}, { signal }) })

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
