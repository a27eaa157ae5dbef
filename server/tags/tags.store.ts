import { and, eq, ne } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { devices, tags } from '#db/schema/devices.ts'
import { ofAccount, type Viewer } from '#db/scope.ts'

export type TagRow = typeof tags.$inferSelect

export const listVisibleTags = (db: DbReader, viewer: Viewer) => db.select().from(tags).where(ofAccount(tags.accountId, viewer))

export async function findVisibleTag(db: DbReader, viewer: Viewer, id: number): Promise<TagRow | undefined> {
  const match = and(eq(tags.id, id), ofAccount(tags.accountId, viewer))
  const [row] = await db.select().from(tags).where(match)
  return row
}

export const countTags = (db: DbReader, accountId: number) => db.$count(tags, eq(tags.accountId, accountId))

export async function insertTag(tx: Tx, tag: Omit<TagRow, 'id'>) {
  const [row] = await tx.insert(tags).values(tag).onConflictDoNothing().returning()
  return row
}

/** Returns false when another tag of the account has the name. */
export async function updateTag(tx: Tx, { id, ...values }: TagRow) {
  const isOther = and(eq(tags.accountId, values.accountId), eq(tags.key, values.key), ne(tags.id, id))
  if ((await tx.$count(tags, isOther)) > 0) return false
  await tx.update(tags).set(values).where(eq(tags.id, id))
  return true
}

export const removeTag = (tx: Tx, id: number) => tx.delete(tags).where(eq(tags.id, id))

/** Trackers with a tag, whose wire form changes with it. */
export const listTaggedDevices = (db: DbReader, tagId: number) =>
  db.select({ id: devices.id, accountId: devices.accountId }).from(devices).where(eq(devices.tagId, tagId))
