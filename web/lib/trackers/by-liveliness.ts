import type { Device } from '#contracts/devices.ts'
import { stateOf, type TrackerState } from './state.ts'

const RANK: Record<TrackerState, number> = {
  moving: 0,
  lost: 1,
  pending: 2,
  stationary: 3,
  silent: 4,
  plane: 5,
  unplaced: 6,
  deactivated: 7,
}

/** Beside the map those come first of which there is something to see; within a state the order of the server stays. */
export const byLiveliness = (devices: readonly Device[], now: Date): Device[] =>
  devices
    .map((device) => ({ device, rank: RANK[stateOf(device, now)] }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ device }) => device)
