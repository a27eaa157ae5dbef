import { and, desc, eq, inArray } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { knownBrowsers } from '#db/schema/accounts.ts'

export type BrowserRow = typeof knownBrowsers.$inferSelect

/** The browsers that a user has signed in with, the last used first. */
export const listBrowsers = (db: DbReader, userId: number): Promise<BrowserRow[]> =>
  db.select().from(knownBrowsers).where(eq(knownBrowsers.userId, userId)).orderBy(desc(knownBrowsers.lastSeenAt), knownBrowsers.hash)

export const saveBrowser = (tx: Tx, { userId, hash, ...seen }: BrowserRow) =>
  tx
    .insert(knownBrowsers)
    .values({ userId, hash, ...seen })
    .onConflictDoUpdate({ target: [knownBrowsers.userId, knownBrowsers.hash], set: seen })

export const deleteBrowsers = (tx: Tx, userId: number, hashes: string[]) =>
  tx.delete(knownBrowsers).where(and(eq(knownBrowsers.userId, userId), inArray(knownBrowsers.hash, hashes)))
