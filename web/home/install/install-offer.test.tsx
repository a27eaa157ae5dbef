import { MantineProvider } from '@mantine/core'
import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { setConfig } from '#web/lib/config.ts'
import { loadWords, startLanguage } from '#web/lib/i18n/i18n.ts'
import { storage, tabStorage } from '#web/lib/storage.ts'
import { CONFIG } from '#web/test/sample-config.ts'
import InstallHint from './install-hint.tsx'
import { useInstallOffer } from './install-offer.ts'

const PHONE = '(max-width: 768px)'
const INSTALLED = '(display-mode: standalone)'
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'

beforeAll(async () => {
  await startLanguage('en')
  await loadWords(['inside', 'extras'])
  setConfig(CONFIG)
})

let media: string[]
beforeEach(() => {
  media = [PHONE]
  vi.spyOn(window, 'matchMedia').mockImplementation((query) =>
    Object.assign(new EventTarget() as MediaQueryList, { media: query, matches: media.includes(query) }),
  )
})
afterEach(() => {
  vi.restoreAllMocks()
  globalThis.installPrompt = undefined
})

function Offered() {
  const offer = useInstallOffer()
  return <MantineProvider>{offer && <InstallHint offer={offer} />}</MantineProvider>
}

const hint = () => screen.queryByRole('region', { name: 'Install' })

/** The next visit is a new tab. */
function visit() {
  tabStorage.remove('visited')
  return render(<Offered />).unmount
}

function offerPrompt() {
  const prompt = vi.fn(async () => ({ outcome: 'accepted' }))
  const event = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt })
  act(() => void window.dispatchEvent(event))
  return { prompt, event }
}

test('the second visit on a phone offers to install the portal, and the button opens the prompt of the browser once', async () => {
  const leave = visit()
  const { event } = offerPrompt()
  expect(event.defaultPrevented).toBe(true)
  expect(hint()).toBeNull()
  leave()
  visit()
  const { prompt } = offerPrompt()
  await userEvent.click(screen.getByRole('button', { name: 'Install' }))
  expect(prompt).toHaveBeenCalledOnce()
  expect(hint()).toBeNull()
})

test('a reload does not count as another visit', () => {
  visit()()
  render(<Offered />)
  offerPrompt()
  expect(hint()).toBeNull()
})

test('a declined installation is never offered again', async () => {
  visit()()
  const leave = visit()
  offerPrompt()
  await userEvent.click(screen.getByRole('button', { name: 'Not now' }))
  expect(hint()).toBeNull()
  leave()
  visit()()
  visit()
  expect(hint()).toBeNull()
})

test('Safari on a phone has no prompt, so the hint describes its share menu', () => {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(SAFARI)
  Object.defineProperty(navigator, 'maxTouchPoints', { value: 5, configurable: true })
  visit()()
  visit()
  expect(hint()).toHaveTextContent('Tap below, then “Add to Home Screen”.')
  expect(screen.getByRole('img', { name: 'Share' })).toBeVisible()
  Reflect.deleteProperty(navigator, 'maxTouchPoints')
})

test.each([
  ['on a wide screen', () => media.splice(0)],
  ['in the installed portal', () => media.push(INSTALLED)],
  ['in the web view of the native app', () => storage.set('nativeApp', 'true')],
])('%s there is no offer to install', (_, arrange) => {
  arrange()
  visit()()
  visit()
  offerPrompt()
  expect(hint()).toBeNull()
})

test('the offer disappears once the portal is installed', () => {
  visit()()
  visit()
  offerPrompt()
  expect(hint()).toBeVisible()
  act(() => void window.dispatchEvent(new Event('appinstalled')))
  expect(hint()).toBeNull()
})
