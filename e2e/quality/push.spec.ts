import type { CDPSession, Page, Worker } from '@playwright/test'
import { browsers } from '#e2e/chromium.ts'
import { expect, type TestWorld, test } from '#e2e/portal.ts'
import { createPushReceiver } from '#server/push/test-receiver.ts'

test.use({ serviceWorkers: 'allow' })

const ALICE = 'alice@example.com'
const [REX, MISTY] = [1, 2]

/** A push service is the only part that headless browsers lack: the page subscribes with a key whose private half the test has. */
function stubPushService(page: Page, subscription: object) {
  return page.addInitScript((made) => {
    PushManager.prototype.getSubscription = async () => null
    PushManager.prototype.subscribe = async () => ({ toJSON: () => made }) as PushSubscription
  }, subscription)
}

/** Whether no ordinary browser was found beside the one of the other tests. */
const isOnlyShell = browsers.ordinary === browsers.path

/** Signs in by the form, which sets the cookie of the session, and subscribes; `deliver` passes the newest notification to the worker. */
async function subscribe(page: Page, world: TestWorld) {
  const receiver = createPushReceiver('https://push.example.net/browser-1')
  await page.context().grantPermissions(['notifications'], { origin: world.origin })
  await stubPushService(page, receiver.subscription)
  const cdp = await page.context().newCDPSession(page)
  const registrations = followRegistrations(cdp)
  await cdp.send('ServiceWorker.enable')
  await page.goto(`${world.origin}/login`)
  // biome-ignore lint/suspicious/noSkippedTests: only an ordinary browser shows notifications.
  test.skip(isOnlyShell && (await page.evaluate(() => Notification.permission === 'denied')), 'A headless shell denies notifications')
  await page.getByLabel('E-mail or username').fill(ALICE)
  await page.getByLabel('Password', { exact: true }).fill('Demo-1234')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { name: 'Trackers 18' })).toBeVisible()
  await page.goto(`${world.origin}/account/preferences`)
  await page.getByRole('checkbox', { name: /^Notifications in this browser/ }).click()
  await expect(page.getByRole('button', { name: 'Send a test' })).toBeVisible()
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  const worker = page.context().serviceWorkers()[0] ?? (await page.context().waitForEvent('serviceworker'))
  const deliver = async () => {
    const { id } = await world.pushes.wait({ body: { user: ALICE } })
    const { body } = await world.pushes.request({ params: { id } })
    const registrationId = await registrations
    await cdp.send('ServiceWorker.deliverPushMessage', { origin: world.origin, registrationId, data: receiver.decrypt(body) })
  }
  return { worker, deliver }
}

const followRegistrations = (cdp: CDPSession) =>
  new Promise<string>((resolve) => {
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const found = registrations.find(({ isDeleted }) => !isDeleted)
      if (found) resolve(found.registrationId)
    })
  })

type Shown = { title: string; body: string; actions: string[] }

/** The notifications that the browser shows. */
const listShown = (worker: Worker): Promise<Shown[]> =>
  worker.evaluate(async () => {
    const { registration } = self as unknown as { registration: ServiceWorkerRegistration }
    const shown = (await registration.getNotifications()) as (Notification & { actions: { title: string }[] })[]
    return shown.map(({ title, body, actions }) => ({ title, body, actions: actions.map((action) => action.title) }))
  })

type Click = Event & { waitUntil(work: Promise<unknown>): void }
type WorkerScope = {
  registration: ServiceWorkerRegistration
  NotificationEvent: new (type: string, init: { notification: Notification; action: string }) => Click
}

/** Presses a button of the shown notification. Resolves once the worker has handled it. */
const press = (worker: Worker, action: string) =>
  worker.evaluate(async (pressed) => {
    const { registration, NotificationEvent } = self as unknown as WorkerScope
    const [notification] = await registration.getNotifications()
    const work: Promise<unknown>[] = []
    const click = new NotificationEvent('notificationclick', { notification: notification!, action: pressed })
    click.waitUntil = (promise) => void work.push(promise)
    self.dispatchEvent(click)
    await Promise.all(work)
  }, action)

test('a pushed alert is muted and its tracker boosted by the buttons of the notification, without opening the portal', async ({
  page,
  world,
}) => {
  const { worker, deliver } = await subscribe(page, world)
  await world.sim.event({ params: { id: MISTY }, body: { type: 'low_battery', battery: 4 } })
  await deliver()
  await expect.poll(() => listShown(worker)).toMatchObject([{ title: 'The battery of Misty is low', actions: ['Boost', 'Snooze 1 h'] }])

  await press(worker, 'boost')
  expect(await listShown(worker)).toEqual([
    { title: expect.stringMatching(/^Misty: every 30 seconds until \d\d:\d\d$/), body: '', actions: [] },
  ])
  const { boost_until } = await world.api('alice').devices.config({ params: { id: MISTY } })
  expect(boost_until).toBe('2026-03-02T09:15:00Z')

  await deliver()
  await expect.poll(() => listShown(worker)).toMatchObject([{ title: 'The battery of Misty is low' }])
  await press(worker, 'snooze')
  expect(await listShown(worker)).toMatchObject([{ title: expect.stringMatching(/^Misty: muted until \d\d:\d\d$/) }])
  expect(await world.api('alice').silences.list()).toMatchObject([
    { devices: [MISTY], kinds: ['low_battery'], until: '2026-03-02T10:00:00Z', everyone: false },
  ])
})

test('an alert with a position shows the map of the place in its notification', async ({ page, world }) => {
  const { worker, deliver } = await subscribe(page, world)
  await world.sim.position({ params: { id: REX }, body: { lat: -34.9055, lng: -56.1913 } })
  await deliver()
  await expect.poll(() => listShown(worker)).toHaveLength(1)
  const image = await worker.evaluate(async () => {
    const { registration } = self as unknown as WorkerScope
    const [notification] = (await registration.getNotifications()) as (Notification & { image: string })[]
    return notification!.image.slice(0, 23)
  })
  expect(image).toBe('data:image/jpeg;base64,')
})

test('after the session of the browser has ended, a button only opens the dialog that asks', async ({ page, world, as }) => {
  const { worker, deliver } = await subscribe(page, world)
  await world.sim.event({ params: { id: MISTY }, body: { type: 'low_battery', battery: 4 } })
  await deliver()
  await expect.poll(() => listShown(worker)).toHaveLength(1)
  // The portal goes on with another session, as after a hand-off, which sets no cookie.
  await as('alice')
  await page.context().clearCookies({ name: /^(sessionid|csrftoken)$/ })
  await press(worker, 'snooze')
  // Chromium opens a window only for a click by a person, so the notification is shown again, and leads to the dialog.
  expect(await listShown(worker)).toEqual([{ title: 'The battery of Misty is low', body: '', actions: [] }])
  await page.goto(`${world.origin}/alerts?sheet=mute&tracker=${MISTY}&kind=low_battery`)
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('combobox', { name: 'Tracker' })).toHaveValue(String(MISTY))
  expect(await world.api('alice').silences.list()).toEqual([])
  await dialog.getByRole('button', { name: 'Mute' }).click()
  await expect(page.getByText('Misty · Low battery')).toBeVisible()
})
