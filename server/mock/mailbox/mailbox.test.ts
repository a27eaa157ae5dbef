import { describe, expect, test } from 'vitest'
import { MAIL_TEMPLATES } from '#contracts/mock/mail.ts'
import { createDispatcher } from '#server/mail/mail-dispatch.ts'
import { queueMail } from '#server/outbox/outbox.store.ts'
import { startPortal } from '#server/test/start-portal.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const local = { host: 'localhost' }
const get = (portal: Portal, url: string, headers: Record<string, string> = {}) =>
  portal.call(null, 'GET', url, undefined, { ...local, ...headers })
const queue = ({ world, clock }: Portal, to: string, tracker = 'Rex') =>
  world.db.write('everything', (tx) =>
    queueMail(tx, {
      to,
      template: 'vehicle_alert',
      language: 'en',
      data: { tracker, datetime: clock.now().toISOString() },
      now: clock.now(),
    }),
  )
const newest = async (portal: Portal) => (await get(portal, '/mock/mail')).body[0]

describe('mailbox API', () => {
  test('R-4.19 the mailbox contains the code that links a subscription', async () => {
    await using portal = await startPortal()
    const { body } = await get(portal, '/mock/mail?to=alice@example.com&template=subscription_code')
    expect(body).toHaveLength(1)
    expect(await get(portal, `/mock/mail/${body[0].id}/`)).toMatchObject({
      status: 200,
      body: { data: { code: 'LINK2026' }, codes: ['LINK2026'], links: ['http://portal.test/link_subscription?code=LINK2026'] },
    })
  })

  test('mails are listed newest first and filtered by exact address and template', async () => {
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
      bounced: false,
    })
  })

  test('a mail is read with text, HTML and links, and an unknown one is answered with 404', async () => {
    await using portal = await startPortal()
    await queue(portal, 'bob@example.net')
    const { id } = await newest(portal)
    expect((await get(portal, `/mock/mail/${id}`)).body).toMatchObject({
      text: expect.stringContaining('Time: 2 March 2026'),
      html: expect.stringContaining('<h1'),
      links: [],
      codes: [],
      data: { tracker: 'Rex' },
    })
    for (const unknown of ['999999', 'x', '-1']) expect((await get(portal, `/mock/mail/${unknown}`)).status).toBe(404)
  })

  test('each world has its own mailbox', async () => {
    await using portal = await startPortal()
    await portal.worlds.create({ id: 'other', seed: 1 })
    const before = (await get(portal, '/mock/mail', { 'x-world': 'other' })).body
    await queue(portal, 'bob@example.net')
    expect((await get(portal, '/mock/mail', { 'x-world': 'other' })).body).toEqual(before)
  })

  test('requests from another site or host name are refused', async () => {
    await using portal = await startPortal()
    const strangers: Record<string, string>[] = [{ host: 'evil.example' }, { host: 'localhost', 'sec-fetch-site': 'cross-site' }]
    for (const headers of strangers)
      for (const url of ['/mock/mail', '/mock/mail/1', '/mock/mailbox', '/mock/mailbox/1/html'])
        expect((await get(portal, url, headers)).status).toBe(403)
  })
})

describe('formats of a mail', () => {
  const read = (portal: Portal, url: string) => get(portal, `/mock/mail/${url}`)

  test('a mail is available as inert HTML and text for browsers and as a file for mail programs', async () => {
    await using portal = await startPortal()
    await queue(portal, 'bob@example.net')
    const { id } = await newest(portal)
    const [html, text, eml] = [await read(portal, `${id}/html/`), await read(portal, `${id}/text`), await read(portal, `${id}/eml`)]
    expect(html.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-disposition': 'inline',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    })
    expect([html.body, text.body]).toEqual([expect.stringContaining('<h1'), expect.stringContaining('Time: 2 March 2026')])
    expect(eml.headers).toMatchObject({
      'content-type': 'message/rfc822',
      'content-disposition': expect.stringContaining(`mail-${id}.eml`),
    })
    expect(eml.body).toMatch(/^From: Whereabouts <no-reply@example.com>\r?$/m)
    expect(eml.body).toMatch(/^To: bob@example.net\r?$/m)
    expect(eml.body).toMatch(/^Subject: Rex is moving\r?$/m)
    for (const form of ['html', 'text', 'eml', 'bounce'])
      expect((await portal.call(null, form === 'bounce' ? 'POST' : 'GET', `/mock/mail/99999/${form}`)).status).toBe(404)
  })

  test('every template has a preview with sample data in any language', async () => {
    await using portal = await startPortal()
    for (const template of MAIL_TEMPLATES) expect((await read(portal, `preview/${template}`)).body, template).toContain('<h1')
    expect((await read(portal, 'preview/low_battery?locale=fi')).body).toContain('<html lang="fi">')
    expect((await read(portal, 'preview/unheard_of')).status).toBe(404)
    expect((await read(portal, 'preview/low_battery?locale=xx')).status).toBe(400)
  })
})

test('a waiting request receives a mail once it is written, with its links and codes', async () => {
  await using portal = await startPortal()
  const wait = (body: object) => portal.call(null, 'POST', '/mock/mail/wait/', body)
  const waiting = wait({ to: 'bruno@example.com', template: 'password_reset' })
  await portal.call(null, 'POST', '/users/password_reset/', { email: 'bruno@example.com' })
  const { body } = await waiting
  expect(body).toMatchObject({
    message: { template: 'password_reset', language: 'fr' },
    links: [expect.stringContaining('key=')],
    codes: [],
  })
  expect((await wait({ to: 'bruno@example.com' })).body.message.id).toBe(body.message.id)
  expect(await wait({ to: 'bruno@example.com', after: body.message.id, timeout_ms: 10 })).toMatchObject({
    status: 404,
    body: { code: 'nothing_came' },
  })
})

test('a bounced mail is not sent again and loses its link', async () => {
  await using portal = await startPortal()
  await portal.call(null, 'POST', '/users/password_reset/', { email: 'bruno@example.com' })
  const { id } = await newest(portal)
  expect((await portal.call(null, 'POST', `/mock/mail/${id}/bounce`)).body).toMatchObject({ id, bounced: true, sent_at: null, links: [] })
  const sent: unknown[] = []
  const sender = { sendMail: async (mail: { to: { address: string } }) => void sent.push(mail.to.address), close() {} }
  await createDispatcher(() => portal.world, { from: 'a@b.example', sender: sender as never }).run()
  expect(sent).not.toContain('bruno@example.com')
})

describe('mailbox page', () => {
  test('the page lists mails, opens one next to the list and frames its HTML', async () => {
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

  test('the page filters by recipient, preserves the filter while reading, and has an empty state', async () => {
    await using portal = await startPortal()
    await queue(portal, 'bob@example.net')
    const { id } = await newest(portal)
    const mine = (await get(portal, '/mock/mailbox?to=%20Bob@example.net')).body
    expect(mine).toContain(`/mock/mailbox/${id}?to=bob%40example.net`)
    expect(mine).not.toContain('alice@example.com')
    expect((await get(portal, '/mock/mailbox?to=nobody@example.net')).body).toContain('No e-mail yet')
  })

  test('the page loads only its stylesheet and runs no script', async () => {
    await using portal = await startPortal()
    const { headers, body } = await get(portal, '/mock/mailbox/1')
    expect(headers['content-security-policy']).toContain("default-src 'none'; style-src 'self'; img-src 'self'; frame-src 'self'")
    expect(body).not.toMatch(/<script|style=|<style|\son\w+=/)
    const css = await get(portal, '/mock/mailbox/style.css')
    expect(css).toMatchObject({ status: 200, headers: { 'content-type': 'text/css; charset=utf-8' } })
  })

  test('a mail has inline styles, and its policy allows nothing else', async () => {
    await using portal = await startPortal()
    await queue(portal, 'bob@example.net')
    const { id } = await newest(portal)
    for (const url of [`/mock/mailbox/${id}/html`, `/mock/mail/${id}/html`, '/mock/mail/preview/place_alert'])
      expect([url, (await get(portal, url)).headers['content-security-policy']]).toEqual([
        url,
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'; " +
          'sandbox allow-top-navigation-by-user-activation',
      ])
  })

  test('names and recipients are escaped', async () => {
    await using portal = await startPortal()
    await queue(portal, '"><script>alert(1)</script>@example.net', '<script>alert(2)</script>')
    const { id } = await newest(portal)
    for (const url of ['/mock/mailbox', `/mock/mailbox/${id}`, `/mock/mailbox/${id}/html`, '/mock/mailbox?to="><script>'])
      expect((await get(portal, url)).body).not.toContain('<script')
  })

  test('R-1.24 the mailbox uses the language of the browser', async () => {
    await using portal = await startPortal()
    const page = async (language: string) => (await get(portal, '/mock/mailbox', { 'accept-language': language })).body
    expect(await page('fi-FI,fi;q=0.9')).toContain('<html lang="fi">')
    expect(await page('fi-FI,fi;q=0.9')).toContain('Postilaatikko')
    expect(await page('zh-CN')).toContain('Mailbox')
  })

  test('an unknown mail is answered with 404', async () => {
    await using portal = await startPortal()
    for (const id of ['999999', 'x', '1e3']) {
      const page = await get(portal, `/mock/mailbox/${id}`)
      expect([page.status, page.body.includes('This e-mail does not exist')]).toEqual([404, true])
      expect((await get(portal, `/mock/mailbox/${id}/html`)).status).toBe(404)
    }
  })
})
