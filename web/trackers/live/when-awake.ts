const isAwake = () => document.visibilityState === 'visible' && navigator.onLine

/**
 * Runs `work` while the page is visible and the browser online, and aborts its signal otherwise. Returns a function that stops it for good.
 */
export function whenAwake(work: (signal: AbortSignal) => void, onSleep: () => void = () => undefined) {
  let running: AbortController | null = null
  const look = () => {
    if (isAwake() === (running !== null)) return
    running?.abort()
    running = isAwake() ? new AbortController() : null
    if (running) work(running.signal)
    else onSleep()
  }
  document.addEventListener('visibilitychange', look)
  window.addEventListener('online', look)
  window.addEventListener('offline', look)
  look()
  return () => {
    document.removeEventListener('visibilitychange', look)
    window.removeEventListener('online', look)
    window.removeEventListener('offline', look)
    running?.abort()
  }
}
