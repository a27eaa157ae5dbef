import { and, eq, gt, sql } from 'drizzle-orm'
import { tokens, users } from '#db/tables/accounts.ts'
import { deviceKeys } from '#db/tables/devices.ts'
import type { Reader } from './open.ts'
import type { Viewer } from './scope.ts'

const prepared = new WeakMap<Reader, ReturnType<typeof prepare>>()

/** Whose session the hashed token is, unless it has ended. */
export async function viewerOf(db: Reader, hash: string, now: Date): Promise<Viewer | undefined> {
  const [viewer] = await statements(db).viewer.execute({ hash, now: now.getTime() })
  return viewer
}

export async function isDeviceKey(db: Reader, hash: string) {
  return (await statements(db).deviceKey.execute({ hash })).length === 1
}

function statements(db: Reader) {
  const known = prepared.get(db) ?? prepare(db)
  prepared.set(db, known)
  return known
}

const prepare = (db: Reader) => ({
  viewer: db
    .select({ userId: users.id, accountId: users.accountId, role: users.role })
    .from(tokens)
    .innerJoin(users, eq(users.id, tokens.userId))
    .where(and(eq(tokens.hash, sql.placeholder('hash')), gt(tokens.expiresAt, sql`${sql.placeholder('now')}`)))
    .prepare(),
  deviceKey: db
    .select()
    .from(deviceKeys)
    .where(eq(deviceKeys.hash, sql.placeholder('hash')))
    .prepare(),
})
