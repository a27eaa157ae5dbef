import { screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { FEATURES } from '#contracts/reader/features.ts'
import { openAs } from '#web/test/open-as.tsx'

const ALICE = 'alice@example.com'
const KEYS = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
}
const LABEL = /^Notifications in this browser/
const checkbox = () => screen.findByRole('checkbox', { name: LABEL })

/** Gives the test's browser a push service. */
function stubPush(permission: 'granted' | 'denied') {
  const requested = vi.fn()
  let subscription: object | null = null
  const made = {
    toJSON: () => ({ endpoint: 'https://push.example.net/browser-1', keys: KEYS }),
    unsubscribe: vi.fn(async () => (subscription = null)),
  }
  const pushManager = {
    getSubscription: async () => subscription,
    subscribe: async (options: object) => {
      requested(options)
      subscription = made
      return made
    },
  }
  vi.stubGlobal('PushManager', class {})
  vi.stubGlobal('Notification', { permission: permission === 'denied' ? permission : 'default', requestPermission: async () => permission })
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: { ready: Promise.resolve({ pushManager }), register: async () => null, addEventListener: () => undefined },
  })
  return { requested, unsubscribed: made.unsubscribe }
}

afterEach(() => {
  vi.unstubAllGlobals()
  delete (navigator as { serviceWorker?: unknown }).serviceWorker
})

const open = (features: readonly string[] = FEATURES) => openAs(ALICE, '/account', { features: [...features] })

describe('notifications in this browser', () => {
  test('notifications are switched on, tested and switched off', async () => {
    const { requested, unsubscribed } = stubPush('granted')
    await using page = await open()
    const isOn = async () => (await page.portal.call(ALICE, 'GET', '/users/push/')).body
    await page.user.click(await checkbox())
    await page.user.click(await screen.findByRole('button', { name: 'Send a test' }))
    expect(await screen.findByText('The test is on its way')).toBeVisible()
    const pushes = (await page.portal.call(null, 'GET', '/mock/pushes')).body
    expect(pushes).toMatchObject([{ user: ALICE, endpoint: 'https://push.example.net/browser-1' }])
    const key = requested.mock.calls[0]![0].applicationServerKey
    expect(key).toMatch(/^[\w-]{87}$/)
    await page.user.click(await checkbox())
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Send a test' })).toBeNull())
    expect(unsubscribed).toHaveBeenCalled()
    expect(await isOn()).toMatchObject({ on: false })
  })

  test('a browser that blocks notifications shows how to allow them', async () => {
    stubPush('denied')
    await using _ = await open()
    expect(await checkbox()).toBeDisabled()
    expect(screen.getByText('Notifications are blocked. Allow them in the settings of your browser.')).toBeVisible()
  })

  test('a browser that does not support notifications has no such setting', async () => {
    await using _ = await open()
    await screen.findByRole('checkbox', { name: /^Quiet hours/ })
    expect(screen.queryByRole('checkbox', { name: LABEL })).toBeNull()
  })

  test('a backend without notifications has no such setting', async () => {
    stubPush('granted')
    await using _ = await open(FEATURES.filter((feature) => feature !== 'push'))
    await screen.findByRole('checkbox', { name: /^Quiet hours/ })
    expect(screen.queryByRole('checkbox', { name: LABEL })).toBeNull()
  })
})
