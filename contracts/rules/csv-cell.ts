/** A csv cell that a spreadsheet can't take for a formula: text beginning with = + - @ or tab gets an apostrophe, numbers don't (D-30). */
export const csvCell = <T extends string | number | null>(value: T) =>
  typeof value === 'string' && /^[=+\-@\t]/.test(value) ? `'${value}` : value
