/** Escapes a csv cell that a spreadsheet could run as a formula: text starting with = + - @ or tab gets an apostrophe, numbers don't. */
export const csvCell = <T extends string | number | null>(value: T) =>
  typeof value === 'string' && /^[=+\-@\t]/.test(value) ? `'${value}` : value
