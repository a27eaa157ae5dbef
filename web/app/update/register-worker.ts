import i18next from 'i18next'
import { hostApp } from '#web/lib/navigation/host-app.ts'

/** Lets the portal open without a connection from now on. Not inside a native app, which keeps its own pages, and never where the browser can't. */
export async function startWorker() {
  if (!('serviceWorker' in navigator) || hostApp.isNative()) return
  const { serviceWorker } = navigator
  const started = await serviceWorker.register('/worker.js').catch(() => null)
  if (!started) return
  const speak = async () => (await serviceWorker.ready).active?.postMessage({ language: i18next.language })
  i18next.on('languageChanged', () => void speak())
  await speak()
}
