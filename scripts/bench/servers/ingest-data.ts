/** Trackers that report in turn; their identifiers count up from the first. */
export const REPORTING = 500
export const FIRST_IDENTIFIER = 8_800_000_000
/** Alerts that watch each of them in the variant `watched`. */
export const WATCHES = 50
