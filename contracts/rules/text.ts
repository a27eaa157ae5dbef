/** Escapes a csv cell that a spreadsheet could run as a formula: text starting with = + - @ or tab gets an apostrophe, numbers don't. */
export const escapeCsvCell = <T extends string | number | null>(value: T) =>
  typeof value === 'string' && /^[=+\-@\t]/.test(value) ? `'${value}` : value

/** Compares in ascending order. A subtraction would give NaN for ids that are not numbers. */
export const compareIds = (a: number, b: number) => Number(a > b) - Number(a < b)

type Named = { id: number; name: string }

/** Compares by name, then id. The collation is fixed so that the server and every browser agree on the order. */
export const byName = (a: Named, b: Named): number => names.compare(a.name, b.name) || compareIds(a.id, b.id)

const names = new Intl.Collator('en')
