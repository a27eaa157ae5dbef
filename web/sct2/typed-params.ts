import { parseWholeNumber, type Sct2Candidate, sct2Faults } from '#contracts/rules/tracking/sct2.ts'
import { Sct2Params } from '#contracts/trackers/sct2.ts'

export type TypedParams = { frequency: string; keepalive_period: string; temp_slice_duration: string }

export const toTypedParams = (params: Sct2Params): TypedParams => ({
  frequency: String(params.frequency),
  keepalive_period: String(params.keepalive_period),
  temp_slice_duration: String(params.temp_slice_duration),
})

/** Parses the fields strictly and adds the parameter that the form does not show. `params` is null if any field is invalid. */
export const parseTypedParams = (typed: TypedParams, known: Sct2Params): { params: Sct2Params | null; faults: (keyof Sct2Candidate)[] } => {
  const candidate = {
    frequency: parseWholeNumber(typed.frequency),
    keepalive_period: parseWholeNumber(typed.keepalive_period),
    temp_uplink_slices_duration: known.temp_uplink_slices_duration,
    temp_slice_duration: parseWholeNumber(typed.temp_slice_duration),
  }
  const faults = sct2Faults(candidate)
  return { params: faults.length === 0 ? (Sct2Params.safeParse(candidate).data ?? null) : null, faults }
}

export const hasSameParams = (one: Sct2Params, other: Sct2Params) =>
  one.frequency === other.frequency &&
  one.keepalive_period === other.keepalive_period &&
  one.temp_slice_duration === other.temp_slice_duration
