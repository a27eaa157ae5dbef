import i18next from 'i18next'
import { hostApp } from '#web/lib/navigation/host-app.ts'

/**
 * Registers the service worker so that the portal opens offline. Skipped inside a native app, which caches pages itself, and where
 * unsupported.
 */
export async function registerWorker() {
  if ((navigator as { standalone?: boolean }).standalone)
    void import('./pull-to-refresh.ts').then(
      ({ followPulls }) => followPulls(),
      () => undefined,
    )
  if (!('serviceWorker' in navigator) || hostApp.isNative()) return
  const { serviceWorker } = navigator
  const started = await serviceWorker.register('/worker.js').catch(() => null)
  if (!started) return
  const speak = async () => (await serviceWorker.ready).active?.postMessage({ language: i18next.language })
  i18next.on('languageChanged', () => void speak())
  await speak()
}
