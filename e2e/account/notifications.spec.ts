import type { Page } from '@playwright/test'
import { expect, test } from '#e2e/portal.ts'

/** Gives the page a push service, which headless browsers lack. The keys are those of RFC 8291, appendix A. */
const stubPush = (page: Page) =>
  page.addInitScript(() => {
    const keys = {
      p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    }
    const made = { toJSON: () => ({ endpoint: 'https://push.example.net/browser-1', keys }), unsubscribe: async () => true }
    const pushManager = { getSubscription: async () => null, subscribe: async () => made }
    Object.defineProperty(navigator.serviceWorker, 'ready', { value: Promise.resolve({ pushManager, active: null }) })
    Object.defineProperty(Notification, 'permission', { value: 'default' })
    Notification.requestPermission = async () => 'granted'
  })

test('a user switches on notifications, tests them and sets quiet hours', async ({ page, world, open }) => {
  await stubPush(page)
  await open('/account/preferences', 'alice')
  await page.getByRole('checkbox', { name: /^Notifications in this browser/ }).click()
  await page.getByRole('button', { name: 'Send a test' }).click()
  const first = await world.pushes.wait({ body: { user: 'alice@example.com' } })
  expect(first).toMatchObject({ body: 'Notifications reach this browser.' })
  await page.getByRole('checkbox', { name: /^Quiet hours/ }).click()
  await expect(page.getByLabel('From')).toHaveValue('22:00')
  await page.getByLabel('Until').selectOption('08:30')
  await expect(page.getByText('Saved').last()).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Until')).toHaveValue('08:30')
  await expect(page.getByRole('button', { name: 'Send a test' })).toBeVisible()
})
