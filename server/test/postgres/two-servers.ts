import { buildApp } from '#server/app.ts'
import { openTestCity } from '#server/mock/city/testing.ts'
import { createSeededIds } from '#server/mock/lib/seeded-ids.ts'
import { createWorld, type MockWorld } from '#server/mock/worlds/world.ts'
import { createWorlds } from '#server/mock/worlds/worlds.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { ANCHOR } from '#server/test/test-files.ts'
import { openTestDatabaseAgain } from './test-databases.ts'

type Call = readonly [email: string | null, method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, body?: object]

const log = { info() {}, warn() {}, error() {} }

/** Starts two servers on one database, each with its own connections, caches and queues. They share the fake card provider. */
export async function startTwoServers() {
  const portal = await startPortal()
  const db = await openTestDatabaseAgain(portal.world.db)
  const city = await openTestCity()
  const ids = createSeededIds(2, 0)
  const own = createWorld({ id: 'main', db: db as never, city, seed: 2, anchor: ANCHOR, origin: 'http://portal.test', log, ids })
  const second: MockWorld = { ...own, payments: portal.world.payments, stripe: portal.world.stripe }
  const app = await buildApp({ worlds: createWorlds(second, () => Promise.reject(new Error('There is one world.'))), rateLimits: false })
  await app.ready()
  const apps = [portal.app, app]
  return {
    portal,
    apps: [portal.app, app] as const,
    worlds: [portal.world, second] as const,
    /** Makes all calls simultaneously, alternating between both servers. Returns how often each status and error code occurred. */
    async race(calls: readonly Call[]) {
      const emails = [...new Set(calls.flatMap(([email]) => email ?? []))]
      const tokens = new Map<string | null, string>()
      for (const email of emails) tokens.set(email, await portal.token(email))
      const answers = await Promise.all(
        calls.map(([email, method, url, body], nth) =>
          apps[nth % 2]!.inject({
            method,
            url,
            headers: email ? { authorization: `Bearer ${tokens.get(email)}` } : {},
            ...(body && { payload: body }),
          }),
        ),
      )
      const counts: Record<string, number> = {}
      for (const { statusCode, body } of answers) {
        const answer = statusCode < 400 ? String(statusCode) : String(JSON.parse(body).code)
        counts[answer] = (counts[answer] ?? 0) + 1
      }
      return counts
    },
    async [Symbol.asyncDispose]() {
      await app.close()
      await db.close()
      await portal[Symbol.asyncDispose]()
    },
  }
}
