import type { PushSubscription as Subscription } from '#contracts/accounts/push.ts'

/** Whether this browser can show notifications; on an iPhone only the portal on the home screen can. */
export const canPush = () => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

export const isPushBlocked = () => Notification.permission === 'denied'

/** Asks for permission and subscribes at the browser's push service; null when the person does not permit it. */
export async function subscribeBrowser(publicKey: string): Promise<Subscription | null> {
  if ((await Notification.requestPermission()) !== 'granted') return null
  const { pushManager } = await navigator.serviceWorker.ready
  // The push service refuses a subscription that was made with another key.
  await (await pushManager.getSubscription())?.unsubscribe()
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  const { endpoint = '', keys = {} } = made.toJSON()
  const { p256dh = '', auth = '' } = keys
  return { endpoint, keys: { p256dh, auth } }
}

export async function unsubscribeBrowser() {
  const { pushManager } = await navigator.serviceWorker.ready
  await (await pushManager.getSubscription())?.unsubscribe()
}
