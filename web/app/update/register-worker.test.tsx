import { afterEach, expect, test, vi } from 'vitest'
import { startLanguage } from '#web/lib/i18n/i18n.ts'
import { storage } from '#web/lib/storage.ts'
import { registerWorker } from './register-worker.ts'

afterEach(() => Reflect.deleteProperty(navigator, 'serviceWorker'))

function browser(register: () => Promise<object>) {
  const postMessage = vi.fn()
  const serviceWorker = { register: vi.fn(register), ready: Promise.resolve({ active: { postMessage } }) }
  Object.defineProperty(navigator, 'serviceWorker', { value: serviceWorker, configurable: true })
  return { register: serviceWorker.register, postMessage }
}

test('the service worker is sent the language whose translations it caches', async () => {
  await startLanguage('fr')
  const { register, postMessage } = browser(async () => ({}))
  await registerWorker()
  expect(register).toHaveBeenCalledWith('/worker.js')
  expect(postMessage).toHaveBeenCalledWith({ language: 'fr' })
})

test('no service worker is registered inside a native app, and a browser that refuses one causes no error', async () => {
  const refused = browser(() => Promise.reject(new Error('insecure')))
  await registerWorker()
  expect(refused.postMessage).not.toHaveBeenCalled()
  storage.set('nativeApp', 'true')
  const { register } = browser(async () => ({}))
  await registerWorker()
  expect(register).not.toHaveBeenCalled()
})
