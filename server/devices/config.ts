import { isSct2Board } from '#contracts/rules/tracking/tracker.ts'
import type { DeviceRow } from '#db/scope.ts'
import type { Reader } from '#db/sqlite/open.ts'
import { presentConfig } from './devices.present.ts'
import { findPace } from './devices.store.ts'

/** Loads and presents a tracker's configuration. Only a board with a configurable mode has a pace. */
export const configOf = async (db: Reader, device: DeviceRow, now: Date) =>
  presentConfig(device, isSct2Board(device.boardName) ? await findPace(db, device.id) : null, now)
