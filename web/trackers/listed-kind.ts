import type { KINDS } from '#contracts/rules/tracking/tracker.ts'

/** A kind that this portal knows, unlike one that only another backend knows. */
export type ListedKind = (typeof KINDS)[number]
