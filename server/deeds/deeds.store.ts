import { and, desc, eq, lt } from 'drizzle-orm'
import type { DeedKind } from '#contracts/operator/deeds.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { deeds } from '#db/schema/staff.ts'

export type DeedRow = typeof deeds.$inferSelect
export type NewDeed = typeof deeds.$inferInsert

export const insertDeed = (tx: Tx, deed: NewDeed) => tx.insert(deeds).values(deed)

/** The deed that an actor's `Idempotency-Key` was used for. */
export async function findRepeated(db: DbReader, actor: string, repeatKey: string): Promise<DeedRow | undefined> {
  const [row] = await db
    .select()
    .from(deeds)
    .where(and(eq(deeds.actor, actor), eq(deeds.repeatKey, repeatKey)))
  return row
}

type Filter = { before?: number; subject?: string; kind?: DeedKind; accountId?: number }

/** Newest first. */
export const listDeeds = (db: DbReader, { before, subject, kind, accountId }: Filter, limit: number): Promise<DeedRow[]> =>
  db
    .select()
    .from(deeds)
    .where(
      and(
        before === undefined ? undefined : lt(deeds.id, before),
        subject === undefined ? undefined : eq(deeds.subject, subject),
        kind === undefined ? undefined : eq(deeds.kind, kind),
        accountId === undefined ? undefined : eq(deeds.accountId, accountId),
      ),
    )
    .orderBy(desc(deeds.id))
    .limit(limit)

/** Keeps that a deed was done, and by whom, but nothing about the account that is erased. */
export const forgetAccountInDeeds = (tx: Tx, accountId: number) =>
  tx
    .update(deeds)
    .set({ accountId: null, subject: 'erased account', detail: {}, requestHash: null, response: null, repeatKey: null })
    .where(eq(deeds.accountId, accountId))
