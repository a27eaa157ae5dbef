const REFERENCE_DIGITS = 6

/** How a request to free a tracker is called, such as `UR-000123` (D-15). */
export const referenceOf = (id: number) => `UR-${String(id).padStart(REFERENCE_DIGITS, '0')}`
