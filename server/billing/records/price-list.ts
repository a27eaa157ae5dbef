import { asc, notInArray } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { DbReader, Tx } from '#db/db.ts'
import { prices } from '#db/schema/commerce.ts'

const Whole = z.int().check(z.minimum(0))
const Price = z.strictObject({
  id: z.string().check(z.regex(/^[\w-]{1,60}$/)),
  type: z.enum(['plan', 'option']),
  name: z.string().check(z.minLength(1), z.maxLength(80)),
  currency: z.enum(['eur', 'usd', 'gbp']),
  /** Minor units for the whole period. */
  unitAmount: Whole,
  taxBehavior: z.enum(['inclusive', 'exclusive']),
  /** Null when it is paid once. */
  interval: z.nullable(z.enum(['month', 'year'])),
  intervalCount: z.nullable(z.int().check(z.minimum(1))),
  months: Whole,
  /** Free months on top. */
  extra: Whole,
})
const PriceList = z.array(Price).check(
  z.minLength(1),
  z.refine((rows) => new Set(rows.map(({ id }) => id)).size === rows.length),
)

/** Parses a price list in JSON. Throws one sentence that names the first mistake. */
export function parsePrices(text: string): z.output<typeof PriceList> {
  const parsed = PriceList.safeParse(parseJson(text))
  if (parsed.success) return parsed.data
  const { path, message } = parsed.error.issues[0]!
  throw new Error(`The price list cannot be used: ${path.join('.') || 'the file'}: ${message}`)
}

/** Puts these prices on sale. All others are retired: they stay readable for those who bought them. */
export async function savePrices(tx: Tx, rows: z.output<typeof PriceList>) {
  const ids = rows.map(({ id }) => id)
  await tx.update(prices).set({ isOffered: false }).where(notInArray(prices.id, ids))
  for (const row of rows) {
    const values = { ...row, isOffered: true }
    await tx.insert(prices).values(values).onConflictDoUpdate({ target: prices.id, set: values })
  }
}

export const listPrices = (db: DbReader) => db.select().from(prices).orderBy(asc(prices.id))

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
