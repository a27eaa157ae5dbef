const KEY = 'reloads'
/** Enough for a page of twenty files on a connection that loses every third request. */
const LIMIT = 15
const WINDOW_MS = 5 * 60_000

/**
 * Reloads the page because a script got lost: browsers never request a module again that failed to load. Arrived files are in their cache,
 * so each time less is missing. Returns false when that has not helped often enough.
 */
export function reloadAfterLoss(): boolean {
  try {
    const now = performance.timeOrigin + performance.now()
    const recent = (JSON.parse(sessionStorage.getItem(KEY) ?? '[]') as number[]).filter((at) => now - at < WINDOW_MS)
    if (!navigator.onLine || recent.length >= LIMIT) return false
    sessionStorage.setItem(KEY, JSON.stringify([...recent, now]))
    setTimeout(() => location.reload(), 150 * (recent.length + 1))
    return true
  } catch {
    return false
  }
}
