import { useEffect, useRef, useSyncExternalStore } from 'react'
import { clock } from '#web/lib/clock.ts'
import { outside } from './outside.ts'

/** Since when there is no connection. */
let lostAt: Date | null = null
const listeners = new Set<() => void>()
let trying: AbortController | null = null

const tell = (at: Date | null) => {
  lostAt = at
  // For styles: what is not live must not look so.
  document.documentElement.toggleAttribute('data-offline', at !== null)
  for (const listener of listeners) listener()
}

/** The browser's word is enough for the worse; for the better our server has to answer. */
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

/** HEAD, because the worker answers no such call from what it keeps. */
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

/** Since when the browser is offline, null while it isn't; `onBack` is called once the server answers again. */
export function useOffline(onBack: () => void = () => undefined): Date | null {
  const since = useSyncExternalStore(subscribe, () => lostAt)
  const wasOffline = useRef(since !== null)
  useEffect(() => {
    if (wasOffline.current && !since) onBack()
    wasOffline.current = since !== null
  })
  return since
}
