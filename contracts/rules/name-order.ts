type Named = { id: number; name: string }

/** Lists by name, then id: one fixed collation, so that the server and every browser agree on the order. */
export const byName = (a: Named, b: Named): number => names.compare(a.name, b.name) || a.id - b.id

const names = new Intl.Collator('en')
