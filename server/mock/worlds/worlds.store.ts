import { inArray } from 'drizzle-orm'
import { TOKEN_DAYS } from '#contracts/lib/constants.ts'
import { DAY_MS } from '#contracts/rules/time.ts'
import { tokens, users } from '#db/schema/accounts.ts'
import { sha256 } from '#server/lib/secrets.ts'
import type { World } from '#server/ports/world.ts'

/** Creates sessions for several users in one transaction; returns their tokens by user. Users that no longer exist get none. */
export const createSessions = ({ db, clock, ids }: World, userIds: number[]): Promise<Map<number, string>> =>
  db.write(async (tx) => {
    const expiresAt = new Date(clock.now().getTime() + TOKEN_DAYS * DAY_MS)
    const there = await tx.select({ id: users.id }).from(users).where(inArray(users.id, userIds)).orderBy(users.id)
    const sessions = new Map(there.map(({ id }) => [id, ids.token()]))
    const rows = [...sessions].map(([userId, token]) => ({ hash: sha256(token), userId, expiresAt }))
    if (rows.length > 0) await tx.insert(tokens).values(rows)
    return sessions
  })
