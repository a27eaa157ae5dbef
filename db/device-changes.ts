import { effectsOf } from '#db/commit-hooks.ts'
import type { Db, FirstRead, Lock, LockFinder, Tx } from '#db/db.ts'

/** A tracker whose response a transaction changes. */
export type ChangedDevice = { id: number; accountId: number }

/** When trackers last changed, counted in committed transactions: a cache uses it to decide which entries are still current. */
export type DeviceChanges = {
  /** The current version; null while a transaction is open: then nothing may be cached. */
  moment(): number | null
  /** Whether data of a tracker that was read at that version is still current. */
  isDeviceCurrent(id: number, moment: number): boolean
  /** Whether data of all trackers of an account, or of all accounts when null, is still current. */
  areDevicesCurrent(accountId: number | null, moment: number): boolean
  /** Ids of the account's trackers that have changed since that version; null when any may have. */
  listChangedDevices(accountId: number, moment: number): number[] | null
  mark(devices: readonly ChangedDevice[]): void
  /** Marks all trackers, for a transaction that does not say which ones it changes. */
  markAll(): void
}

/** `isWriting` is true while a transaction is open. */
export function createDeviceChanges(isWriting: () => boolean): DeviceChanges {
  const devices = new Map<number, number>()
  const accounts = new Map<number, { changedAt: number; devices: Map<number, number> }>()
  let moment = 1
  let everything = 1
  const isCurrent = (changedAt = 0, readAt: number) => readAt >= everything && readAt >= changedAt
  return {
    moment: () => (isWriting() ? null : moment),
    isDeviceCurrent: (id, readAt) => isCurrent(devices.get(id), readAt),
    areDevicesCurrent: (accountId, readAt) => isCurrent(accountId === null ? moment : accounts.get(accountId)?.changedAt, readAt),
    listChangedDevices(accountId, readAt) {
      if (readAt < everything) return null
      const changes = accounts.get(accountId)?.devices ?? new Map<number, number>()
      return [...changes].filter(([, changedAt]) => changedAt > readAt).map(([id]) => id)
    },
    mark(changed) {
      if (changed.length > 0) moment++
      for (const { id, accountId } of changed) {
        devices.set(id, moment)
        const account = accounts.get(accountId) ?? { changedAt: moment, devices: new Map() }
        account.changedAt = moment
        account.devices.set(id, moment)
        accounts.set(accountId, account)
      }
    },
    markAll() {
      everything = ++moment
      devices.clear()
      accounts.clear()
    },
  }
}

/** Says that a transaction of `writeDevices` changes the response of a tracker. */
export const touch = (tx: Tx, device: ChangedDevice) => void effectsOf(tx).touched?.push(device)

/**
 * Runs a transaction that calls `touch` for each tracker it changes, or for none, so that only those are read again. After any other write
 * all of them are read again: forgetting to call this costs time, never correctness.
 */
export const writeDevices = <T>(db: Pick<Db, 'write'>, lock: Lock | LockFinder | FirstRead, work: (tx: Tx) => Promise<T>): Promise<T> =>
  db.write(lock, (tx) => {
    effectsOf(tx).touched = []
    return work(tx)
  })
