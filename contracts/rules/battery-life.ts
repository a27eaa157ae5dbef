import { BATTERY_CAPACITY } from '#contracts/lib/constants.ts'
import { isSct2Frequency } from './sct2.ts'

/**
 * Months a battery lasts at one uplink every `frequency` minutes, as two bounds. null for a frequency outside the configurable mode, for
 * which nothing is shown.
 */
export const batteryLife = (frequency: number) =>
  isSct2Frequency(frequency) ? { min: months(576, frequency), max: months(144, frequency) } : null

/** Capacity divided by daily use (`weight` uplinks a day at one per minute), in months of 30 days. */
const months = (weight: number, frequency: number) => Math.round(BATTERY_CAPACITY / (3 + weight / frequency) / 30)
