import { BATTERY_CAPACITY } from '#contracts/lib/constants.ts'
import { isSct2Frequency } from './sct2.ts'

/**
 * Months a battery lasts at one uplink every `frequency` minutes: the two bounds.
 * null where the configurable mode refuses the frequency: nothing is shown then (C-08).
 */
export const batteryLife = (frequency: number) =>
  isSct2Frequency(frequency) ? { min: months(576, frequency), max: months(144, frequency) } : null

/** Capacity by use per day (`weight` uplinks a day at one a minute), by 30 days. */
const months = (weight: number, frequency: number) => Math.round(BATTERY_CAPACITY / (3 + weight / frequency) / 30)
