import type { DeviceType } from '#contracts/constants.ts'

const BOARDS: Record<DeviceType, string> = {
  tracker_01: 'TRK1-A',
  tracker_02: 'TRK2-B',
  tracker_03: 'TRK3-A',
  tracker_04: 'TRK4-C',
  tracker_06: 'SDC1-A',
  triby: 'TRB1-A',
}

/** The board a type of tracker usually has. */
export const boardOf = (type: DeviceType) => BOARDS[type]
