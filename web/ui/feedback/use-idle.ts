import { useEffect, useState } from 'react'

/** Without the browser's own call, which Safari lacks. */
const SOON_MS = 200

/** Whether the page has been shown and the browser has had nothing to do since: then what is not urgent loads without delaying the page. */
export function useIdle() {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => {
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(() => setIdle(true), SOON_MS)
      return () => clearTimeout(timer)
    }
    const handle = requestIdleCallback(() => setIdle(true), { timeout: 2000 })
    return () => cancelIdleCallback(handle)
  }, [])
  return isIdle
}
