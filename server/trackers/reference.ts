const REFERENCE_DIGITS = 6

/** The public reference of an unlink request, such as `UR-000123`. */
export const formatReference = (id: number) => `UR-${String(id).padStart(REFERENCE_DIGITS, '0')}`
