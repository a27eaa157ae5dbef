import { describe, expect, test } from 'vitest'
import { queueMail } from '#server/lib/mail.ts'
import { startPortal } from './testing.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const local = { host: 'localhost' }
const get = (portal: Portal, url: string, headers: Record<string, string> = {}) =>
  portal.call(null, 'GET', url, undefined, { ...local, ...headers })
const queue = ({ world, clock }: Portal, to: string, tracker = 'Rex') =>
  world.db.write((tx) =>
    queueMail(tx, {
      to,
      template: 'vehicle_alert',
      language: 'en',
      data: { tracker, datetime: clock.now().toISOString() },
      now: clock.now(),
    }),
  )
const newest = async (portal: Portal) => (await get(portal, '/mock/mail')).body[0]

describe('the mailbox as JSON', () => {
  test('R-4.19 holds the code that links a subscription', async () => {
    await using portal = await startPortal()
    const { body } = await get(portal, '/mock/mail?to=alice@example.com&template=subscription_code')
    expect(body).toHaveLength(1)
    expect(await get(portal, `/mock/mail/${body[0].id}/`)).toMatchObject({
      status: 200,
      body: { data: { code: 'LINK2026' }, codes: ['LINK2026'], links: ['http://portal.test/link_subscription?code=LINK2026'] },
    })
  })

  test('lists newest first, by exact address and template', async () => {
    await using portal = await startPortal()
    for (const to of ['bob@example.net', 'carol@example.net', 'bob@example.net']) await queue(portal, to)
    const all = (await get(portal, '/mock/mail')).body
    expect(all.slice(0, 3).map(({ to }: { to: string }) => to)).toEqual(['bob@example.net', 'carol@example.net', 'bob@example.net'])
    expect((await get(portal, '/mock/mail?to=bob@example.net')).body).toHaveLength(2)
    expect((await get(portal, '/mock/mail?to=bob')).body).toEqual([])
    expect((await get(portal, '/mock/mail?template=vehicle_alert')).body).toHaveLength(3)
    expect(all[0]).toEqual({
      id: expect.any(Number),
      to: 'bob@example.net',
      template: 'vehicle_alert',
      language: 'en',
      subject: 'Rex is moving',
      created_at: '2026-03-02T09:00:00Z',
      sent_at: null,
    })
  })

  test('reads one with text, HTML and links; an unknown one is not found', async () => {
    await using portal = await startPortal()
    await queue(portal, 'bob@example.net')
    const { id } = await newest(portal)
    expect((await get(portal, `/mock/mail/${id}`)).body).toMatchObject({
      text: expect.stringContaining('Time: March 2, 2026'),
      html: expect.stringContaining('<h1'),
      links: [],
      codes: [],
      data: { tracker: 'Rex' },
    })
    for (const unknown of ['999999', 'x', '-1']) expect((await get(portal, `/mock/mail/${unknown}`)).status).toBe(404)
  })

  test('each world has a mailbox of its own', async () => {
    await using portal = await startPortal()
    await portal.worlds.create({ id: 'other', seed: 1 })
    const before = (await get(portal, '/mock/mail', { 'x-world': 'other' })).body
    await queue(portal, 'bob@example.net')
    expect((await get(portal, '/mock/mail', { 'x-world': 'other' })).body).toEqual(before)
  })

  test('a page of another site, or another host name, reads nothing', async () => {
    await using portal = await startPortal()
    const strangers: Record<string, string>[] = [{ host: 'evil.example' }, { host: 'localhost', 'sec-fetch-site': 'cross-site' }]
    for (const headers of strangers)
      for (const url of ['/mock/mail', '/mock/mail/1', '/mock/mailbox', '/mock/mailbox/1/html'])
        expect((await get(portal, url, headers)).status).toBe(403)
  })
})

describe('the mailbox as a page', () => {
  test('lists mails, opens one beside the list and frames its HTML', async () => {
    await using portal = await startPortal()
    await queue(portal, 'bob@example.net')
    const { id } = await newest(portal)
    const list = await get(portal, '/mock/mailbox')
    expect(list.status).toBe(200)
    expect(list.body).toContain(`<a href="/mock/mailbox/${id}"`)
    const open = await get(portal, `/mock/mailbox/${id}`)
    expect(open.body).toContain('aria-current="page"')
    expect(open.body).toContain(`<iframe src="/mock/mailbox/${id}/html"`)
    const framed = await get(portal, `/mock/mailbox/${id}/html`)
    expect(framed.body).toContain('<base target="_top">')
    expect(framed.headers['x-frame-options']).toBe('SAMEORIGIN')
  })

  test('filters by recipient, keeps the filter while reading, and says when there is nothing', async () => {
    await using portal = await startPortal()
    await queue(portal, 'bob@example.net')
    const { id } = await newest(portal)
    const mine = (await get(portal, '/mock/mailbox?to=%20Bob@example.net')).body
    expect(mine).toContain(`/mock/mailbox/${id}?to=bob%40example.net`)
    expect(mine).not.toContain('alice@example.com')
    expect((await get(portal, '/mock/mailbox?to=nobody@example.net')).body).toContain('No e-mail yet')
  })

  test('loads and runs nothing but its stylesheet', async () => {
    await using portal = await startPortal()
    const { headers, body } = await get(portal, '/mock/mailbox/1')
    expect(headers['content-security-policy']).toContain("default-src 'none'; style-src 'self'; frame-src 'self'")
    expect(body).not.toMatch(/<script|style=|<style|\son\w+=/)
    const css = await get(portal, '/mock/mailbox/style.css')
    expect(css).toMatchObject({ status: 200, headers: { 'content-type': 'text/css; charset=utf-8' } })
    expect((await get(portal, '/mock/mailbox/1/html')).headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'unsafe-inline';/,
    )
  })

  test('names of people, trackers and recipients are text', async () => {
    await using portal = await startPortal()
    await queue(portal, '"><script>alert(1)</script>@example.net', '<script>alert(2)</script>')
    const { id } = await newest(portal)
    for (const url of ['/mock/mailbox', `/mock/mailbox/${id}`, `/mock/mailbox/${id}/html`, '/mock/mailbox?to="><script>'])
      expect((await get(portal, url)).body).not.toContain('<script')
  })

  test('R-1.24 speaks the language of the browser', async () => {
    await using portal = await startPortal()
    const page = async (language: string) => (await get(portal, '/mock/mailbox', { 'accept-language': language })).body
    expect(await page('fi-FI,fi;q=0.9')).toContain('<html lang="fi">')
    expect(await page('fi-FI,fi;q=0.9')).toContain('Postilaatikko')
    expect(await page('zh-CN')).toContain('Mailbox')
  })

  test('an e-mail that does not exist is told with 404', async () => {
    await using portal = await startPortal()
    for (const id of ['999999', 'x', '1e3']) {
      const page = await get(portal, `/mock/mailbox/${id}`)
      expect([page.status, page.body.includes('This e-mail does not exist')]).toEqual([404, true])
      expect((await get(portal, `/mock/mailbox/${id}/html`)).status).toBe(404)
    }
  })
})
