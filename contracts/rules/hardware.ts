import type { DeviceType, Operator } from '#contracts/lib/constants.ts'

const HARDWARE: Record<DeviceType, { board: string; operator: Operator }> = {
  tracker_01: { board: 'TRK1-A', operator: 'sigfox' },
  tracker_02: { board: 'TRK2-B', operator: 'lte_m' },
  tracker_03: { board: 'TRK3-A', operator: 'lte_m' },
  tracker_04: { board: 'TRK4-C', operator: 'lora' },
  tracker_06: { board: 'SDC1-A', operator: 'lora' },
  triby: { board: 'TRB1-A', operator: 'none' },
}

/** The usual board of a tracker type. */
export const boardOf = (type: DeviceType) => HARDWARE[type].board

/** The usual network of a tracker type. */
export const operatorOf = (type: DeviceType) => HARDWARE[type].operator
