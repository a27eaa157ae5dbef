/**
 * Stands for a value that a closed list lacks, such as one sent by a newer backend. Tests reject it; the portal shows a neutral text and
 * icon.
 */
export type Unlisted = string & Record<never, never>
/** The values of a list in a response. */
export type Open<T extends readonly string[]> = T[number] | Unlisted
/** The options of a form: the list, plus the object's current value if the list lacks it, because it is sent back unchanged. */
export const withUnlisted = <T extends string>(list: readonly T[], value: string | undefined): readonly string[] =>
  value === undefined || list.some((each) => each === value) ? list : [...list, value]
/** Returns `value` if `list` contains it, else `other`, which is shown instead. */
export const pickListed = <T extends string, O>(list: readonly T[], value: string, other: O): T | O =>
  list.find((each) => each === value) ?? other

/** Shown instead of a name that a backend omits. */
export const UNNAMED = '–'
