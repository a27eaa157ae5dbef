import { describe, expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { IDLE_MS, IN_USE_MS, LEAP_RATE, MAX_LIFETIME_MS, NEW_WORLDS_RATE, REQUEST_RATE } from './limits.ts'
import { startDemo } from './test-demo.ts'

type Visitor = Awaited<ReturnType<Awaited<ReturnType<typeof startDemo>>['visit']>>

const nameOf = async ({ call }: Visitor) => (await call('/users/settings/')).body.firstname
const rename = ({ call }: Visitor, firstname: string) => call('/users/settings/', { method: 'PATCH', body: { firstname } })
/** Whether the world still exists, without a request that would count as its use. */
const isThere = async ({ call }: Visitor) => !(await call('/demo')).text.includes('Your demo has ended')
const MINUTE_MS = 60_000
/** Little room, so that few worlds fill it. */
const ROOM = { worlds: 12, perAddress: 5, rate: { ...NEW_WORLDS_RATE, max: 10 } }

/** Creates as many worlds as one address may have. */
async function fillAddress(demo: Awaited<ReturnType<typeof startDemo>>, count = ROOM.perAddress) {
  const visitors: Visitor[] = []
  while (visitors.length < count) visitors.push(await demo.visit('/?demo=empty'))
  return visitors
}

describe('visitors', () => {
  test('a visitor gets a world with the first page and is signed in', async () => {
    await using demo = await startDemo()
    const visitor = await demo.visit('/trackers?view=list&demo=family&as=alice')
    expect([visitor.status, visitor.headers.location]).toEqual([
      302,
      expect.stringMatching(/^\/trackers\?view=list&hand_off=hand_[0-9a-f]{40}$/),
    ])
    const [cookie] = visitor.cookies
    expect(cookie).toMatchObject({
      name: '__world',
      value: expect.stringMatching(/^[0-9a-f]{40}$/),
      httpOnly: true,
      sameSite: 'Lax',
      path: '/',
    })
    expect(cookie).not.toHaveProperty('secure')
    expect(await nameOf(visitor)).toBe('Alice')
  })

  test('behind a TLS proxy the cookie is sent over TLS only', async () => {
    await using demo = await startDemo({ TRUST_PROXY: '1' })
    const { cookies } = await demo.visit(undefined, { headers: { 'x-forwarded-proto': 'https', 'x-forwarded-for': '198.51.100.1' } })
    expect(cookies[0]).toMatchObject({ name: '__world', secure: true })
  })

  test('changes of one visitor are invisible to another', async () => {
    await using demo = await startDemo()
    const [one, other] = [await demo.visit(), await demo.visit()]
    expect(one.world).not.toBe(other.world)
    await rename(one, 'Alicia')
    expect([await nameOf(one), await nameOf(other)]).toEqual(['Alicia', 'Alice'])
  })

  test('a visitor sees trackers move within three minutes', async () => {
    await using demo = await startDemo()
    const { world } = await demo.visit()
    const mine = demo.worlds.get(world)!
    const start = mine.clock.now()
    await mine.play()
    const positions = () =>
      mine.db.raw
        .prepare('select count(*) from positions where time > ?')
        .pluck()
        .get(start.getTime() / 1000)
    expect(positions()).toBe(0)
    demo.wait(3 * 60_000)
    await mine.play()
    expect(mine.clock.now().getTime()).toBe(start.getTime() + 3 * 60_000)
    expect(positions()).toBeGreaterThan(0)
  })

  test("another persona of the same scenario shares the visitor's world, and another scenario gets a new one", async () => {
    await using demo = await startDemo()
    const alice = await demo.visit()
    await rename(alice, 'Alicia')
    const bruno = await demo.visit('/?demo=family&as=bruno', { headers: { cookie: alice.cookie } })
    expect([bruno.world, await nameOf(bruno)]).toEqual([alice.world, 'Bruno'])
    const again = await demo.visit('/?demo=family&as=alice', { headers: { cookie: alice.cookie } })
    expect(await nameOf(again)).toBe('Alicia')
    const robbed = await demo.visit('/?demo=theft&as=alice', { headers: { cookie: alice.cookie } })
    expect([robbed.world === alice.world, await isThere(alice)]).toEqual([false, false])
  })

  test('a link without a known scenario and persona redirects to the start page', async () => {
    await using demo = await startDemo()
    const rows = ['/?demo=family&as=nobody', '/?demo=mars', '/?demo=crowd&as=alice', '/?demo=', '/', '/trackers', '/index.html']
    expect(
      await collectFailures(rows, String, async (url) => {
        const { status, headers } = await demo.ask(url)
        expect([status, headers.location]).toEqual([302, '/demo'])
      }),
    ).toEqual([])
  })

  test('a link cannot redirect to another site', async () => {
    await using demo = await startDemo()
    for (const url of ['//evil.example/?demo=family', '/\\evil.example?demo=family', '/%2F/evil.example?demo=family'])
      expect((await demo.ask(url)).headers.location, url).toMatch(/^\/(?![/\\])/)
  })
})

describe('expiry', () => {
  test('a world expires two hours after the last request, and its page then redirects to the start page', async () => {
    await using demo = await startDemo()
    const visitor = await demo.visit()
    demo.wait(IDLE_MS - 1)
    await visitor.call('/options/')
    demo.wait(IDLE_MS - 1)
    expect(await isThere(visitor)).toBe(true)
    demo.wait(1)
    expect(await isThere(visitor)).toBe(false)
    await demo.worlds.expire()
    expect(demo.worlds.get(visitor.world)).toBeUndefined()
    expect((await visitor.call('/')).headers.location).toBe('/demo')
  })

  test('a visitor with an ended world sees the reason and starts a new one as the same persona with one click', async () => {
    await using demo = await startDemo()
    const visitor = await demo.visit('/account?demo=family&as=bruno')
    demo.wait(IDLE_MS)
    const told = /Your demo has ended, because it was not used for 2\sh. What you changed in it is gone/
    expect((await visitor.call('/demo')).text).toMatch(told)
    await demo.worlds.expire()
    const { text } = await visitor.call('/demo')
    expect(text).toMatch(told)
    const [, again = ''] = /href="([^"]*)"[^>]*>Start another</.exec(text) ?? []
    const fresh = await demo.visit(again.replaceAll('&#38;', '&'), { headers: { cookie: visitor.cookie } })
    expect((await fresh.call('/demo/world')).body).toMatchObject({ scenario: 'family', persona: 'bruno' })
    expect((await fresh.call('/demo')).text).not.toContain('has ended')
  })

  test('the start page says that a world has ended, and why if it made room for another visitor', async () => {
    await using demo = await startDemo({}, ROOM)
    const [first] = await fillAddress(demo)
    demo.wait(IN_USE_MS)
    await demo.visit('/?demo=empty')
    expect((await first!.call('/demo')).text).toContain('it was not in use, and another visitor needed its place')
    const before = { cookie: `__world=${'a'.repeat(40)}` }
    expect((await demo.ask('/demo', { headers: before })).text).toContain('Your demo has ended. What you changed in it is gone')
    for (const headers of [{}, { cookie: '__world=main' }] as Record<string, string>[])
      expect((await demo.ask('/demo', { headers })).text).not.toContain('has ended')
  })

  test('a world expires after a day even if it is in use', async () => {
    await using demo = await startDemo()
    const visitor = await demo.visit()
    const ends = async () => Date.parse((await visitor.call('/demo/world')).body.ends_at) - demo.wall.now().getTime()
    expect(await ends()).toBe(IDLE_MS)
    for (let spent = 0; spent < MAX_LIFETIME_MS - IDLE_MS / 2; spent += IDLE_MS / 2) {
      demo.wait(IDLE_MS / 2)
      await visitor.call('/options/')
    }
    expect(await ends()).toBe(IDLE_MS / 2)
    demo.wait(IDLE_MS / 2)
    expect(await isThere(visitor)).toBe(false)
    expect((await visitor.call('/demo')).text).toMatch(/because a demo lasts 24\sh at most/)
  })

  test('polling by the demo bar does not extend the life of a world', async () => {
    await using demo = await startDemo()
    const visitor = await demo.visit()
    demo.wait(IDLE_MS - 1)
    await visitor.call('/demo/world')
    demo.wait(1)
    expect(await isThere(visitor)).toBe(false)
  })
})

describe('limits', () => {
  test('for a new world, an address loses its least recently used one, not one in use and not that of another address', async () => {
    await using demo = await startDemo({}, ROOM)
    const other = await demo.visit(undefined, { ip: '198.51.100.1' })
    const mine = await fillAddress(demo)
    demo.wait(IN_USE_MS - 1)
    for (const visitor of mine.filter((_, index) => index !== 1)) await visitor.call('/options/')
    demo.wait(1)
    const late = await demo.visit('/?demo=empty')
    const there = await Promise.all(mine.map(isThere))
    expect([there[1], there.filter(Boolean).length]).toEqual([false, ROOM.perAddress - 1])
    expect([await isThere(other), await isThere(late)]).toEqual([true, true])
  })

  test('an address whose worlds are all in use is refused with a page that says when to return', async () => {
    await using demo = await startDemo({}, ROOM)
    const mine = await fillAddress(demo)
    demo.wait(4 * MINUTE_MS)
    const refused = await demo.ask('/trackers?demo=empty&as=dario')
    expect([refused.status, refused.headers['retry-after'], refused.cookies]).toEqual([429, '360', []])
    expect(refused.text).toMatch(/All the demos that your network may have at once are in use.* try again in 6\smin/)
    expect(refused.text).toContain('href="/trackers?demo=empty&#38;as=dario" rel="nofollow">Try again</a>')
    expect((await demo.ask('//evil.example/?demo=empty')).text).toContain('href="/" rel="nofollow">Try again</a>')
    expect((await Promise.all(mine.map(isThere))).every(Boolean)).toBe(true)
    expect((await demo.visit('/?demo=empty', { ip: '198.51.100.1' })).status).toBe(302)
  })

  test('a world with a visible page is in use without any other request', async () => {
    await using demo = await startDemo({}, ROOM)
    const [first, ...others] = await fillAddress(demo)
    demo.wait(IN_USE_MS - MINUTE_MS)
    for (const { call } of others) await call('/demo/world')
    demo.wait(MINUTE_MS)
    expect((await demo.visit('/?demo=empty')).status).toBe(302)
    expect([await isThere(first!), await isThere(others[0]!)]).toEqual([false, true])
    expect((await demo.visit('/?demo=empty')).status).toBe(429)
  })

  test('simultaneous visitors of a full address do not get more worlds than there is room for', async () => {
    await using demo = await startDemo({}, ROOM)
    const mine = await fillAddress(demo, ROOM.perAddress - 2)
    const late = await Promise.all(Array.from({ length: 5 }, () => demo.visit('/?demo=empty')))
    expect(late.map(({ status }) => status).sort()).toEqual([302, 302, 429, 429, 429])
    expect((await Promise.all(mine.map(isThere))).every(Boolean)).toBe(true)
  })

  test('a visitor of a full address keeps their own world and replaces it when they choose another scenario', async () => {
    await using demo = await startDemo({}, ROOM)
    const [first] = await fillAddress(demo)
    const changed = await demo.visit('/?demo=expiring', { headers: { cookie: first!.cookie } })
    expect([changed.status, await isThere(changed), await isThere(first!)]).toEqual([302, true, false])
  })

  test('a full demo removes the least recently used world, and refuses new visitors with 503 while all are in use', async () => {
    await using demo = await startDemo({}, ROOM)
    const [first, second] = [await demo.visit(), await demo.visit()]
    for (let count = 2; count < ROOM.worlds; count++) await demo.visit('/?demo=empty', { ip: `10.0.${count >> 2}.1` })
    const late = { ip: '198.51.100.1' }
    const refused = await demo.ask('/?demo=empty', { ...late, headers: { 'accept-language': 'ja' } })
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '600'])
    expect(refused.text).toContain('現在、すべてのデモが使用中です')
    demo.wait(IN_USE_MS)
    await first.call('/options/')
    expect((await demo.visit('/?demo=empty', late)).status).toBe(302)
    expect([await isThere(first), await isThere(second)]).toEqual([true, false])
    expect(demo.worlds.all()).toHaveLength(ROOM.worlds + 1)
  })

  test('an address that creates worlds too fast is rejected with 429 on the start page', async () => {
    await using demo = await startDemo({}, ROOM)
    for (let count = 0; count < ROOM.rate.max; count++) {
      if (count % ROOM.perAddress === 0) demo.wait(IN_USE_MS)
      expect((await demo.visit('/?demo=empty')).status).toBe(302)
    }
    demo.wait(IN_USE_MS)
    const refused = await demo.ask('/?demo=empty', { headers: { 'accept-language': 'de' } })
    const spent = IN_USE_MS * (ROOM.rate.max / ROOM.perAddress)
    expect([refused.status, Number(refused.headers['retry-after'])]).toEqual([429, (ROOM.rate.ms - spent) / 1000])
    expect(refused.text).toMatch(/viele Demos begonnen. Bitte versuchen Sie es in 40\sMin. noch einmal/)
    expect((await demo.visit('/?demo=empty', { ip: '198.51.100.1' })).status).toBe(302)
    demo.wait(ROOM.rate.ms)
    expect((await demo.visit('/?demo=empty')).status).toBe(302)
  })

  test('requests are limited per visitor', async () => {
    await using demo = await startDemo()
    const [one, other] = [await demo.visit(), await demo.visit()]
    for (let count = 0; count < REQUEST_RATE.max; count++) await one.call('/mock/sim')
    const refused = await one.call('/options/')
    expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([429, 'throttled', '60'])
    expect((await other.call('/options/')).status).toBe(200)
  })

  test('jumps of the clock are limited in number and length', async () => {
    await using demo = await startDemo()
    const { call } = await demo.visit('/?demo=empty')
    const advance = (by: string) => call('/mock/clock/advance', { method: 'POST', body: { by } })
    expect((await advance('P32D')).body.errors).toHaveProperty('by')
    expect((await advance('P1D')).status).toBe(200)
    expect((await call('/mock/clock', { method: 'POST', body: { rate: 61 } })).body.errors).toHaveProperty('rate')
    expect((await call('/mock/clock', { method: 'POST', body: { at: '2026-06-01T00:00:00Z' } })).body.errors).toHaveProperty('at')
    for (let count = 4; count < LEAP_RATE.max; count++) await advance('PT1M')
    expect((await advance('PT1M')).status).toBe(429)
  })

  test('request bodies must be small and announce their length', async () => {
    await using demo = await startDemo()
    const { call } = await demo.visit()
    const headers = { 'content-type': 'text/csv' }
    const send = (body: string, more = {}) =>
      call('/tracker_places/import_csv/', { method: 'POST', body, headers: { ...headers, ...more } })
    expect((await send('x'.repeat(256 * 1024 + 1))).body.code).toBe('too_large')
    expect((await send('x', { 'transfer-encoding': 'chunked' })).body.code).toBe('too_large')
  })

  test('the database of a world cannot grow beyond its limit', async () => {
    await using demo = await startDemo()
    const { world } = await demo.visit('/?demo=empty')
    const { raw } = demo.worlds.get(world)!.db
    raw.exec('create table filler (text)')
    expect(() => raw.exec('insert into filler values (zeroblob(9000000))')).toThrow('full')
  })
})
