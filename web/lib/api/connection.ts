import { useEffect, useRef, useSyncExternalStore } from 'react'
import { clock } from '#web/lib/clock.ts'
import { clientPorts } from './api.ts'

let lostAt: Date | null = null
const listeners = new Set<() => void>()
let retrying: AbortController | null = null

const setLostAt = (at: Date | null) => {
  lostAt = at
  // Lets styles grey out parts that would look live.
  document.documentElement.toggleAttribute('data-offline', at !== null)
  for (const listener of listeners) listener()
}

/** `navigator.onLine` is trusted when it says offline. When it says online, our own server has to respond first. */
const checkConnection = () => {
  retrying?.abort()
  if (!navigator.onLine) return setLostAt(lostAt ?? clock.now())
  if (!lostAt) return
  retrying = new AbortController()
  void waitForServer(retrying.signal)
}

async function waitForServer(signal: AbortSignal) {
  for (let pause = 1000; !(await isServerUp(signal)); pause = Math.min(30_000, pause * 2)) {
    await new Promise((resolve) => setTimeout(resolve, pause))
    if (signal.aborted) return
  }
  if (!signal.aborted) setLostAt(null)
}

/** HEAD, because the service worker never answers it from its cache. */
const isServerUp = (signal: AbortSignal) =>
  clientPorts()
    .fetch('/config.json', { method: 'HEAD', cache: 'no-store', signal: AbortSignal.any([signal, AbortSignal.timeout(30_000)]) })
    .then(
      ({ ok }) => ok,
      () => false,
    )

function subscribe(listener: () => void) {
  listeners.add(listener)
  if (listeners.size === 1) {
    window.addEventListener('online', checkConnection)
    window.addEventListener('offline', checkConnection)
    checkConnection()
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    window.removeEventListener('online', checkConnection)
    window.removeEventListener('offline', checkConnection)
    retrying?.abort()
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

const clearers = new Set<() => void>()

/** Registers a callback that clears remembered failures before a screen is retried. */
export const onRetry = (forget: () => void) => {
  clearers.add(forget)
}

export const clearFailures = () => {
  for (const forget of clearers) forget()
}
