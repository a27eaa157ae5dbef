import { and, asc, desc, eq, gt, isNotNull, isNull, min, sql } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { dataCopies, dataCopyFiles, users } from '#db/schema/accounts.ts'
import type { PackedFile } from '#server/lib/zip.ts'

export type CopyRow = typeof dataCopies.$inferSelect

export const listCopies = (db: DbReader, userId: number, now: Date) =>
  db
    .select()
    .from(dataCopies)
    .where(and(eq(dataCopies.userId, userId), gt(dataCopies.endsAt, now)))
    .orderBy(desc(dataCopies.id))

/** A finished copy of the user. */
export async function findReadyCopy(db: DbReader, { userId, id }: { userId: number; id: number }, now: Date) {
  const isReady = and(isNotNull(dataCopies.readyAt), gt(dataCopies.endsAt, now))
  const [row] = await db
    .select()
    .from(dataCopies)
    .where(and(eq(dataCopies.id, id), eq(dataCopies.userId, userId), isReady))
  return row
}

/** Removes a user's copies before a new one is made. */
export const removeCopies = (tx: Tx, userId: number) => tx.delete(dataCopies).where(eq(dataCopies.userId, userId))

export async function insertCopy(tx: Tx, copy: Pick<CopyRow, 'userId' | 'createdAt' | 'endsAt'>) {
  const [row] = await tx.insert(dataCopies).values(copy).returning()
  return row!
}

export const insertFile = (tx: Tx, copyId: number, file: PackedFile) =>
  tx
    .insert(dataCopyFiles)
    .values({ ...file, packed: Buffer.from(file.packed), copyId })
    .onConflictDoNothing()

export async function listFileNames(db: DbReader, copyId: number) {
  const files = await db
    .select({ name: dataCopyFiles.name })
    .from(dataCopyFiles)
    .where(eq(dataCopyFiles.copyId, copyId))
    .orderBy(asc(dataCopyFiles.name))
  return files.map(({ name }) => name)
}

export async function findFile(db: DbReader, copyId: number, name: string): Promise<PackedFile | undefined> {
  const [file] = await db
    .select()
    .from(dataCopyFiles)
    .where(and(eq(dataCopyFiles.copyId, copyId), eq(dataCopyFiles.name, name)))
  return file
}

const isRunning = isNull(dataCopies.readyAt)

export async function findRunningCopy(db: DbReader, id: number) {
  const [row] = await db
    .select()
    .from(dataCopies)
    .where(and(eq(dataCopies.id, id), isRunning))
  return row
}

/** Unfinished copies, with the user they are for. */
export const listRunningCopies = (db: DbReader, by: Date) =>
  db
    .select({ copy: dataCopies, user: users })
    .from(dataCopies)
    .innerJoin(users, eq(users.id, dataCopies.userId))
    .where(and(isRunning, gt(dataCopies.endsAt, by)))
    .orderBy(asc(dataCopies.id))

export async function findNextCopy(db: DbReader, after: Date) {
  const [row] = await db
    .select({ at: min(dataCopies.createdAt) })
    .from(dataCopies)
    .where(and(isRunning, gt(dataCopies.createdAt, after)))
  return row?.at ?? null
}

/** Total size of the compressed files of a copy. */
export async function countBytes(tx: Tx, copyId: number) {
  const [row] = await tx
    .select({ bytes: sql<number>`sum(length(${dataCopyFiles.packed}))` })
    .from(dataCopyFiles)
    .where(eq(dataCopyFiles.copyId, copyId))
  return row?.bytes ?? 0
}

export const finishCopy = (tx: Tx, id: number, change: Pick<CopyRow, 'readyAt' | 'endsAt' | 'size'>) =>
  tx.update(dataCopies).set(change).where(eq(dataCopies.id, id))
