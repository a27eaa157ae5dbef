import { useEffect, useRef, useSyncExternalStore } from 'react'
import { clock } from '#web/lib/clock.ts'
import { outside } from './outside.ts'

/** When the connection was lost; null while online. */
let lostAt: Date | null = null
const listeners = new Set<() => void>()
let trying: AbortController | null = null

const tell = (at: Date | null) => {
  lostAt = at
  // Styles grey out whatever pretends to be live.
  document.documentElement.toggleAttribute('data-offline', at !== null)
  for (const listener of listeners) listener()
}

/** `navigator.onLine` is trusted when it says offline. When it says online, our own server has to respond first. */
const look = () => {
  trying?.abort()
  if (!navigator.onLine) return tell(lostAt ?? clock.now())
  if (!lostAt) return
  trying = new AbortController()
  void returning(trying.signal)
}

async function returning(signal: AbortSignal) {
  for (let pause = 1000; !(await answers(signal)); pause = Math.min(30_000, pause * 2)) {
    await new Promise((resolve) => setTimeout(resolve, pause))
    if (signal.aborted) return
  }
  if (!signal.aborted) tell(null)
}

/** HEAD, because the service worker never answers it from its cache. */
const answers = (signal: AbortSignal) =>
  outside()
    .fetch('/config.json', { method: 'HEAD', cache: 'no-store', signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]) })
    .then(
      ({ ok }) => ok,
      () => false,
    )

function subscribe(listener: () => void) {
  listeners.add(listener)
  if (listeners.size === 1) {
    window.addEventListener('online', look)
    window.addEventListener('offline', look)
    look()
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    window.removeEventListener('online', look)
    window.removeEventListener('offline', look)
    trying?.abort()
  }
}

/** Returns since when the browser is offline, null while online; calls `onBack` once the server responds again. */
export function useOffline(onBack: () => void = () => undefined): Date | null {
  const since = useSyncExternalStore(subscribe, () => lostAt)
  const wasOffline = useRef(since !== null)
  useEffect(() => {
    if (wasOffline.current && !since) onBack()
    wasOffline.current = since !== null
  })
  return since
}
