import { useEffect, useState, useSyncExternalStore } from 'react'
import { hostApp } from '#web/lib/navigation/host-app.ts'
import { storage, tabStorage } from '#web/lib/storage.ts'
import { useIsPhone } from '#web/lib/use-media.ts'

/** The event with which Chromium offers to install the portal. */
type InstallPrompt = Event & { prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }> }

declare global {
  /** Set by the inline script of the page, because the event is fired once and may be early. */
  var installPrompt: Event | undefined
}

/** How the portal can be installed here: by a button, by hand in Safari, or not at all. */
export type InstallOffer = { kind: 'button'; install(): void; dismiss(): void } | { kind: 'safari'; dismiss(): void } | null

const HINTED_VISIT = 2

/** Counts the visit once in each tab, and returns the number of visits; 0 once the offer was declined, which is permanent. */
function countVisits() {
  const known = storage.get('installHint')
  if (known === 'off') return 0
  const visits = Number(known) || 0
  if (tabStorage.get('visited')) return visits
  tabStorage.set('visited', 'true')
  storage.set('installHint', String(visits + 1))
  return visits + 1
}

const isInstalled = () =>
  window.matchMedia('(display-mode: standalone)').matches || (navigator as { standalone?: boolean }).standalone === true

/** Safari on iPhone and iPad, which installs only by its share menu; not the web views and other browsers there. */
const isSafariOnPhone = () =>
  /iP(hone|ad|od)|Macintosh/.test(navigator.userAgent) &&
  navigator.maxTouchPoints > 1 &&
  /Version\/[\d.]+.* Safari\//.test(navigator.userAgent)

const subscribe = (changed: () => void) => {
  const offer = (event: Event) => {
    event.preventDefault()
    globalThis.installPrompt = event
    changed()
  }
  const installed = () => {
    globalThis.installPrompt = undefined
    storage.set('installHint', 'off')
    changed()
  }
  addEventListener('beforeinstallprompt', offer)
  addEventListener('appinstalled', installed)
  return () => {
    removeEventListener('beforeinstallprompt', offer)
    removeEventListener('appinstalled', installed)
  }
}

/** Offers to install the portal on a phone, from the second visit on, unless it was declined; never in the app's web view. */
export function useInstallOffer(): InstallOffer {
  const isPhone = useIsPhone()
  const prompt = useSyncExternalStore(subscribe, () => globalThis.installPrompt) as InstallPrompt | undefined
  const [visits, setVisits] = useState(0)
  const mayInstall = isPhone && !hostApp.isNative() && !isInstalled()
  useEffect(() => {
    if (mayInstall) setVisits(countVisits())
  }, [mayInstall])
  if (!mayInstall || visits < HINTED_VISIT) return null
  const dismiss = () => {
    storage.set('installHint', 'off')
    setVisits(0)
  }
  if (prompt)
    return {
      kind: 'button',
      dismiss,
      install() {
        dismiss()
        globalThis.installPrompt = undefined
        // The browser rejects a prompt that was already shown.
        prompt.prompt().catch(() => undefined)
      },
    }
  return isSafariOnPhone() ? { kind: 'safari', dismiss } : null
}
