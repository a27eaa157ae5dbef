import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { users } from '#db/schema/accounts.ts'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { createDispatcher } from '#server/mail/mail-dispatch.ts'
import { openTestCity } from '#server/mock/city/testing.ts'
import { createControlPlane } from '#server/mock/control/control.ts'
import { readSeed } from '#server/mock/seed/read-seed.ts'
import { queueMail } from '#server/outbox/outbox.store.ts'
import { createLocalWorlds } from './local-worlds.ts'
import type { MockWorld } from './world.ts'

const ANCHOR = '2026-05-04T07:00:00Z'
const log = { info() {}, warn() {}, error() {} }
let data = ''
const opened: { closeAll(): void }[] = []

beforeEach(() => {
  data = mkdtempSync(path.join(tmpdir(), 'whereabouts-data-'))
})
afterEach(() => {
  for (const worlds of opened.splice(0)) worlds.closeAll()
  rmSync(data, { recursive: true })
})

async function start(env: Record<string, string> = {}) {
  const local = await createLocalWorlds(readConfig({ DATA_DIR: data, SEED_ANCHOR: ANCHOR, ...env }), log, await openTestCity())
  opened.push(local.worlds)
  return local
}
const file = () => path.join(data, 'whereabouts.db')
const rename = ({ db }: MockWorld, firstName: string) => db.write('everything', (tx) => tx.update(users).set({ firstName }))
const nameIn = async ({ db }: MockWorld) => (await db.read.select().from(users))[0]!.firstName

describe('main world', () => {
  test('the main world is created at the first start and found again at the next', async () => {
    const { main, worlds } = await start()
    expect(statSync(file()).size).toBeGreaterThan(100_000)
    expect([main.id, main.seed, (await readSeed(main.db.read)).anchor]).toEqual(['main', 1, new Date(ANCHOR)])
    expect(main.clock.state().mode).toBe('flow')
    await rename(main, 'Alicia')
    worlds.closeAll()

    const again = await start({ SEED_ANCHOR: '2027-01-01T00:00:00Z' })
    expect(await nameIn(again.main)).toBe('Alicia')
    expect((await readSeed(again.main.db.read)).anchor).toEqual(new Date(ANCHOR))
  })

  test('a main world that was moved ahead continues from there after a restart, and its trackers still report', async () => {
    const { main, worlds } = await start()
    const later = new Date(Date.parse(ANCHOR) + 3 * 86_400_000)
    await main.play(() => ({ at: later }))
    worlds.closeAll()

    const again = (await start()).main
    expect(again.clock.now().getTime()).toBeGreaterThan(later.getTime() - 3_600_000)
    expect((await again.play(() => ({ at: new Date(later.getTime() + 6 * 3_600_000) }))).positions).toBeGreaterThan(50)
  })

  test('a reset recreates the main world with the requested seed in the same file', async () => {
    const { main, worlds } = await start()
    const before = await nameIn(main)
    await rename(main, 'Alicia')
    const renewed = await worlds.reset(main, { seed: 7 })
    expect([await nameIn(renewed), renewed.seed]).toEqual([before, 7])
    expect((await readSeed(renewed.db.read)).seed).toBe(7)
    expect(worlds.get('main')).toBe(renewed)
    expect(() => main.db.raw.prepare('select 1').get()).toThrow('not open')
    worlds.closeAll()
    expect((await start()).main.seed).toBe(7)
  })

  test('two simultaneous resets leave one main world', async () => {
    const { main, worlds } = await start()
    const [first, second] = await Promise.all([worlds.reset(main), worlds.reset(main)])
    expect(worlds.get('main')).toBe(second)
    expect(() => first.db.raw.prepare('select 1').get()).toThrow('not open')
    expect(await second.db.isReady()).toBe(true)
  })

  test('the main world responds without a pause while it is reset', async () => {
    const { main, worlds, snapshots, city } = await start()
    const app = await buildApp({ worlds, rateLimits: false, extend: createControlPlane({ worlds, snapshots, city }) })
    const settings = () =>
      app.inject({ url: '/users/settings/', headers: { authorization: `Bearer ${'0'.repeat(40)}`, host: 'localhost' } })
    const statuses = new Set<number>()
    let isBack = false
    const reset = worlds.reset(main).finally(() => {
      isBack = true
    })
    while (!isBack) {
      statuses.add((await settings()).statusCode)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await (await reset).db.isReady()).toBe(true)
    expect([...statuses]).toEqual([401])
    await app.close()
  })

  test('a main world that was reset still sends its mail', async () => {
    const { main, worlds } = await start()
    const sent: unknown[] = []
    const sender = {
      close() {},
      async sendMail({ to }: { to?: unknown }) {
        sent.push(to)
        return { envelope: { from: '', to: [] }, messageId: '' }
      },
    }
    const dispatcher = createDispatcher(() => worlds.get('main')!, { from: 'a@example.com', sender })
    await dispatcher.run()
    const renewed = await worlds.reset(main)
    await dispatcher.run()
    sent.length = 0
    const mail = { template: 'confirm_email', language: 'en', data: { key: 'k' } } as const
    await renewed.db.write('everything', (tx) => queueMail(tx, { ...mail, to: 'new@example.org', now: renewed.clock.now() }))
    expect(await dispatcher.run()).toBe(1)
    expect(sent).toEqual([{ name: '', address: 'new@example.org' }])
  })

  test('a database without demo data is never overwritten', async () => {
    writeFileSync(file(), '')
    await expect(start()).rejects.toThrow(/The database .* is empty/)
    expect(existsSync(file())).toBe(true)
  })
})

describe('test worlds', () => {
  test('test worlds are the same on every day, have their own origin and leave no file', async () => {
    const { worlds } = await start({ PORT: '8123' })
    const blue = await worlds.create({ id: 'blue', seed: 1 })
    expect(blue.clock.state()).toEqual({ now: new Date('2026-03-02T09:00:00Z'), mode: 'frozen', rate: 1 })
    expect(blue.origin).toBe('http://w-blue.localhost:8123')
    await rename(blue, 'Alicia')
    expect(await nameIn(worlds.get('main')!)).not.toBe('Alicia')
    expect(await nameIn(await worlds.reset(blue))).not.toBe('Alicia')
  })

  test("test worlds use the portal's origin where one is configured", async () => {
    const { main, worlds } = await start({ PORTAL_ORIGIN: 'https://demo.example:8443' })
    expect(main.origin).toBe('https://demo.example:8443')
    expect((await worlds.create({ id: 'red', seed: 1 })).origin).toBe('https://w-red.localhost:8443')
  })

  test('test worlds limit sign-in attempts as configured', async () => {
    const { main, worlds } = await start({ RATE_LIMITS: 'off' })
    expect([main.limits, (await worlds.create({ id: 'blue', seed: 1 })).limits]).toEqual([{ credentials: false }, { credentials: false }])
  })
})
