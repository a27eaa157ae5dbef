import { eq } from 'drizzle-orm'
import { prices } from '#db/schema/commerce.ts'
import type { startPortal } from '#server/test/start-portal.ts'

type Portal = Pick<Awaited<ReturnType<typeof startPortal>>, 'world'>

/** Takes all prices in a currency off sale. */
export const stopSales = ({ world }: Portal, currency: string) =>
  world.db.write('everything', (tx) => tx.update(prices).set({ isOffered: false }).where(eq(prices.currency, currency)))
