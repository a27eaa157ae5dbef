import { and, eq } from 'drizzle-orm'
import type { DeedKind, DeedSort } from '#contracts/operator/deeds.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { deeds } from '#db/schema/staff.ts'
import type { PageEnd } from '#server/lib/pages/page-end.ts'
import { sortPage } from '#server/lib/pages/sorted-page.store.ts'

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

type Filter = {
  subject?: string | undefined
  kind?: DeedKind | undefined
  accountId?: number | undefined
  sort?: DeedSort | undefined
  before?: PageEnd | undefined
}

const SORTED = { when: { value: deeds.id, isNumber: true, isUnique: true }, who: { value: deeds.who } } as const

export const listDeeds = async (db: DbReader, filter: Filter, limit: number): Promise<DeedRow[]> => selectDeeds(db, filter, limit)

/** The query of a page, by default the newest first. */
export function selectDeeds(db: DbReader, { subject, kind, accountId, sort = '-when', before }: Filter, limit: number) {
  const { orderBy, begin } = sortPage({ columns: SORTED, key: deeds.id, isNumberKey: true, sort, after: before })
  return db
    .select()
    .from(deeds)
    .where(
      and(
        subject === undefined ? undefined : eq(deeds.subject, subject),
        kind === undefined ? undefined : eq(deeds.kind, kind),
        accountId === undefined ? undefined : eq(deeds.accountId, accountId),
        begin,
      ),
    )
    .orderBy(...orderBy)
    .limit(limit)
}

/** Keeps that a deed was done, and by whom, but nothing about the account that is erased. */
export const forgetAccountInDeeds = (tx: Tx, accountId: number) =>
  tx
    .update(deeds)
    .set({ accountId: null, subject: 'erased account', detail: {}, requestHash: null, response: null, repeatKey: null })
    .where(eq(deeds.accountId, accountId))
