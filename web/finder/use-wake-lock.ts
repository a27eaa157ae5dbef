import { useEffect } from 'react'

/** Keeps the screen on while mounted. The browser releases the lock of a hidden page, so it is requested again when the page returns. */
export function useWakeLock(isOn: boolean) {
  useEffect(() => {
    if (!isOn || !('wakeLock' in navigator)) return
    let lock: WakeLockSentinel | undefined
    let isOver = false
    const request = async () => {
      if (document.visibilityState !== 'visible') return
      // A device in power saving mode rejects the request.
      const granted = await navigator.wakeLock.request('screen').catch(() => undefined)
      if (isOver) void granted?.release()
      else lock = granted
    }
    const listen = () => void request()
    void request()
    document.addEventListener('visibilitychange', listen)
    return () => {
      isOver = true
      document.removeEventListener('visibilitychange', listen)
      void lock?.release()
    }
  }, [isOn])
}
