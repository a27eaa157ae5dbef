import { useSyncExternalStore } from 'react'
import { FEATURES, type Feature, isExtra } from '#contracts/reader/features.ts'
import { listFeatures } from '#web/lib/config.ts'
import { onSessionEnd } from '#web/lib/session.ts'
import { tabStorage } from '#web/lib/storage.ts'

/** Every backend has these groups, so listing them has no effect. */
const SPECIFIED = ['sessions', 'users', 'devices', 'positions']

/** Unknown names in the configuration's `features`. A misspelt name would hide a feature that the backend has. */
export const listUnknownFeatures = () => listFeatures()?.filter((name) => ![...FEATURES, ...SPECIFIED].includes(name)) ?? []

/** Features found missing in this session, in the tab's storage, so that a reload does not request them again. */
const readMissing = () => tabStorage.get('missingFeatures') ?? ''

const listeners = new Set<() => void>()
const notify = () => {
  for (const listener of listeners) listener()
}
onSessionEnd(() => {
  tabStorage.remove('missingFeatures')
  notify()
})

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/**
 * Whether the backend has a feature: according to the configuration, or else until a call has shown that it is missing. Extras must be
 * listed.
 */
export const hasFeature = (name: Feature | undefined): boolean =>
  name === undefined || (listFeatures()?.includes(name) ?? !(isExtra(name) || readMissing().split(' ').includes(name)))

export const markMissing = (name: Feature) => {
  tabStorage.set('missingFeatures', `${readMissing()} ${name}`)
  notify()
}

/** Returns `hasFeature`, and renders again when a feature turns out to be missing. */
export const useFeatures = () => {
  useSyncExternalStore(subscribe, readMissing)
  return hasFeature
}

export const useFeature = (name: Feature | undefined) => useFeatures()(name)

/** Requests something optional. Resolves to `neutral` if the backend does not have it, without a request once that is known. */
export async function orMissing<T>(name: Feature, ask: () => Promise<T>, neutral: NoInfer<T>): Promise<T> {
  try {
    if (hasFeature(name)) return await ask()
  } catch (error) {
    if (hasFeature(name)) throw error
  }
  return neutral
}
