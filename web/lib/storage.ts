/** Data in local storage about a person and their trackers: removed at sign-out, whichever screens are loaded. */
export const PERSONAL_KEYS = ['lastTrackers', 'demoTracker', 'checklist'] as const

/** Keys of the portal in local storage, including those shared with the host app. */
export type StorageKey =
  | 'token'
  | 'boardName'
  | 'verifyNative'
  | 'lastVisitedRoute'
  | 'hostAppVersion'
  | 'platform'
  | 'bundleId'
  | 'integerVersion'
  | 'deeplinkCapability'
  | 'hostOs'
  | 'nativeApp'
  | 'language'
  | 'theme'
  | 'units'
  | 'trackersSort'
  | 'trackersFilter'
  | 'trackersView'
  | 'trackersWidth'
  | 'trackersDensity'
  | 'savedViews'
  | 'mapLayers'
  | 'mapBase'
  | 'mapView'
  | 'hiddenBuild'
  | 'installHint'
  | 'visited'
  | 'singleKeys'
  | 'conflict'
  | 'missingFeatures'
  | 'termsPutOff'
  | 'readAnnouncements'
  | 'consoleColumns'
  | 'startPutOff'
  | 'checkout'
  | (typeof PERSONAL_KEYS)[number]

type KeyValueStore = {
  get(key: StorageKey): string | null
  set(key: StorageKey, value: string): void
  remove(key: StorageKey): void
}

/**
 * Wraps local storage, which is read on each access because the host app or another tab may change it. Falls back to memory when storage is
 * unavailable or full, as in a private web view.
 */
export function createStorage(local: () => Storage): KeyValueStore {
  const memory = new Map<StorageKey, string>()
  return {
    get(key) {
      return memory.get(key) ?? tryOrNull(() => local().getItem(key)) ?? null
    },
    set(key, value) {
      memory.delete(key)
      const isKept = tryOrNull(() => {
        local().setItem(key, value)
        return true
      })
      if (!isKept) memory.set(key, value)
    },
    remove(key) {
      memory.delete(key)
      tryOrNull(() => local().removeItem(key))
    },
  }
}

/** Returns null when the browser denies storage, which it may do at any access. */
export function tryOrNull<T>(use: () => T): T | null {
  try {
    return use()
  } catch {
    return null
  }
}

export const storage = createStorage(() => localStorage)

/** Cleared when the tab closes or the session ends. */
export const tabStorage = createStorage(() => sessionStorage)
