import { describe, expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { MAX_SHARES_PER_ADDRESS, SHARE_LIFETIME_MS } from './limits.ts'
import { startDemo } from './test-demo.ts'

type Demo = Awaited<ReturnType<typeof startDemo>>
type Visitor = Awaited<ReturnType<Demo['visit']>>

const share = async ({ call }: Visitor) => (await call('/demo/share', { method: 'POST' })).body
const pathOf = (url: string) => url.replace('http://demo.test', '')
const rename = ({ call }: Visitor, firstname: string) => call('/users/settings/', { method: 'PATCH', body: { firstname } })
const nameOf = async ({ call }: Visitor) => (await call('/users/settings/')).body.firstname

describe('shared copies', () => {
  test('a shared link opens a copy for the same persona on the same page, independent of the original', async () => {
    await using demo = await startDemo()
    const giver = await demo.visit()
    await rename(giver, 'Alicia')
    const { url, expires_at } = await share(giver)
    expect(url).toMatch(/^http:\/\/demo\.test\/demo\/s\/[0-9a-f]{20}$/)
    expect(Math.abs(Date.parse(expires_at) - Date.now() - SHARE_LIFETIME_MS)).toBeLessThan(60_000)
    await rename(giver, 'Later')
    const taker = await demo.visit(`${pathOf(url)}?as=alice&to=%2Ftrackers%3Fview%3Dlist`)
    expect(taker.headers.location).toMatch(/^\/trackers\?view=list&hand_off=hand_[0-9a-f]{40}$/)
    expect([taker.world === giver.world, await nameOf(taker)]).toEqual([false, 'Alicia'])
    await rename(taker, 'Taker')
    expect([await nameOf(giver), await nameOf(taker)]).toEqual(['Later', 'Taker'])
  })

  test('a shared link cannot redirect to another site', async () => {
    await using demo = await startDemo()
    const path = pathOf((await share(await demo.visit('/?demo=empty'))).url)
    for (const to of ['https://evil.example/', '//evil.example/', '/\\evil.example', 'javascript:alert(1)', '/..//evil.example'])
      expect((await demo.ask(`${path}?to=${encodeURIComponent(to)}`)).headers.location, to).toMatch(/^\/(?![/\\])/)
  })

  test('an unknown link redirects to the start page', async () => {
    await using demo = await startDemo()
    const rows = ['/demo/s/0123456789abcdef0123', '/demo/s/..%2F..%2Fwhereabouts', '/demo/s/x']
    expect(
      await collectFailures(rows, String, async (url) => {
        expect((await demo.ask(url)).headers.location).toBe('/demo')
      }),
    ).toEqual([])
  })

  test('a shared copy expires after a week', async () => {
    await using demo = await startDemo()
    const path = pathOf((await share(await demo.visit('/?demo=empty'))).url)
    demo.wall.set({ at: new Date(Date.now() + SHARE_LIFETIME_MS - 60_000) })
    expect((await demo.visit(path)).token).not.toBe('')
    demo.wait(120_000)
    expect((await demo.visit(path)).headers.location).toBe('/demo')
  })

  test('an address can share a limited number of copies, and its oldest make room without affecting others', async () => {
    await using demo = await startDemo()
    const other = await share(await demo.visit('/?demo=empty', { ip: '198.51.100.1' }))
    const visitor = await demo.visit('/?demo=empty')
    const links: string[] = []
    for (let count = 0; count <= MAX_SHARES_PER_ADDRESS; count++) links.push((await share(visitor)).url)
    const opens = async (url: string) => (await demo.visit(pathOf(url))).token !== ''
    expect(await Promise.all([links[0]!, links[1]!, links.at(-1)!, other.url].map(opens))).toEqual([false, true, true, true])
  })
})
