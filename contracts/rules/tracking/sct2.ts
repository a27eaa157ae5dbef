/** Parameters of the configurable mode: minutes as inclusive ranges, and the only allowed slice lengths. */
export const SCT2 = { frequency: [1, 180], keepalive: [1, 1440], uplinkSlices: 2, slice: [60, 720] } as const

/** Capacity in the units of the battery-life formula. */
const BATTERY_CAPACITY = 12_600

/** Unvalidated parameters from a form or a request body. Minutes, except the slices duration. */
export type Sct2Candidate = {
  frequency?: unknown
  keepalive_period?: unknown
  temp_uplink_slices_duration?: unknown
  temp_slice_duration?: unknown
}

/** Minutes between updates: an integer from 1 to 180. */
const isSct2Frequency = (value: unknown): value is number => isWithin(value, SCT2.frequency)

/** The parameters out of range, in the order of the form. */
export const sct2Faults = (params: Sct2Candidate): (keyof Sct2Candidate)[] => {
  const valid = {
    frequency: isSct2Frequency(params.frequency),
    keepalive_period: isWithin(params.keepalive_period, SCT2.keepalive),
    temp_uplink_slices_duration: params.temp_uplink_slices_duration === SCT2.uplinkSlices,
    temp_slice_duration: SCT2.slice.some((minutes) => minutes === params.temp_slice_duration),
  } satisfies Record<keyof Sct2Candidate, boolean>
  return FIELDS.filter((field) => !valid[field])
}

/** Numbers only; numeric strings are invalid. */
export const isSct2Valid = (params: Sct2Candidate) => sct2Faults(params).length === 0

/** Parses a whole number typed by a user; surrounding blanks are allowed, sign, fraction, exponent and words are not (null). */
export const parseWholeNumber = (text: string): number | null => {
  const digits = text.trim()
  return /^\d{1,15}$/.test(digits) ? Number(digits) : null
}

const FIELDS = ['frequency', 'keepalive_period', 'temp_uplink_slices_duration', 'temp_slice_duration'] as const

const isWithin = (value: unknown, [least, most]: readonly [number, number]): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most

/**
 * Months a battery lasts at one uplink every `frequency` minutes, as two bounds. null for a frequency outside the configurable mode, for
 * which nothing is shown.
 */
export const batteryLife = (frequency: number) =>
  isSct2Frequency(frequency) ? { min: months(576, frequency), max: months(144, frequency) } : null

/** Capacity divided by daily use (`weight` uplinks a day at one per minute), in months of 30 days. */
const months = (weight: number, frequency: number) => Math.round(BATTERY_CAPACITY / (3 + weight / frequency) / 30)
