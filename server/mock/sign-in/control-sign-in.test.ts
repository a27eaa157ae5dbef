import { expect, test } from 'vitest'
import { LANGUAGES } from '#contracts/lib/languages.ts'
import { buildApp } from '#server/app.ts'
import { openTestCity } from '#server/mock/city/testing.ts'
import { createControlPlane } from '#server/mock/control/control.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'

const TOKEN = 'a-control-token-of-32-characters'
const BROWSER = { host: 'demo.example', accept: 'text/html,application/xhtml+xml' }

async function start({ rateLimits = false, token = TOKEN as string | null } = {}) {
  const portal = await startPortal()
  const app = await buildApp({
    worlds: portal.worlds,
    rateLimits,
    trustProxy: 1,
    extend: createControlPlane({
      worlds: portal.worlds,
      snapshots: portal.snapshots,
      city: await openTestCity(),
      token: token ?? undefined,
    }),
  })
  const open = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers: { ...BROWSER, ...headers } })
  const give = (given: string, headers: Record<string, string> = {}) =>
    app.inject({
      method: 'POST',
      url: '/mock/sign_in',
      headers: { ...BROWSER, 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: new URLSearchParams({ token: given }).toString(),
    })
  return {
    app,
    open,
    give,
    async signIn() {
      const [cookie] = (await give(TOKEN)).cookies
      return { cookie: `${cookie!.name}=${cookie!.value}` }
    },
    async [Symbol.asyncDispose]() {
      await app.close()
      await portal[Symbol.asyncDispose]()
    },
  }
}

test('the mailbox asks for the token and is readable with the cookie it gives', async () => {
  await using server = await start()
  const asked = await server.open('/mock/mailbox')
  expect(asked.statusCode).toBe(403)
  expect(asked.body).toContain('<form method="post" action="/mock/sign_in">')
  expect(asked.body).not.toContain('alice@example.com')
  expect((await server.open('/mock/mailbox/style.css')).statusCode).toBe(200)

  const given = await server.give(` ${TOKEN} `)
  expect([given.statusCode, given.headers.location]).toEqual([303, '/mock/mailbox'])
  const cookie = await server.signIn()
  for (const url of ['/mock/mailbox', '/mock/mailbox/1', '/mock/mailbox/1/html', '/mock/mail']) {
    const page = await server.open(url, cookie)
    expect([page.statusCode, page.body.includes('LINK2026') || page.body.includes('alice@example.com')], url).toEqual([200, true])
  }
})

test('the cookie is limited to /mock, HttpOnly and SameSite=Strict, and does not contain the token', async () => {
  await using server = await start()
  const [cookie] = (await server.give(TOKEN)).cookies
  expect(cookie).toMatchObject({ path: '/mock', httpOnly: true, sameSite: 'Strict' })
  expect(cookie).not.toHaveProperty('secure')
  expect(cookie!.value).not.toContain(TOKEN)
  const [safe] = (await server.give(TOKEN, { 'x-forwarded-proto': 'https' })).cookies
  expect(safe).toMatchObject({ secure: true })
})

test('wrong tokens are refused with a message and without a cookie', async () => {
  expect(
    await collectFailures(
      ['', 'wrong', TOKEN.toUpperCase(), `${TOKEN}x`],
      (token) => JSON.stringify(token),
      async (token) => {
        await using server = await start()
        const answer = await server.give(token)
        expect([answer.statusCode, answer.cookies]).toEqual([403, []])
        expect(answer.body).toContain('This token is wrong.')
      },
    ),
  ).toEqual([])
})

test('a forged cookie, or the correct one sent from another site, gives no access', async () => {
  await using server = await start()
  expect((await server.open('/mock/mailbox', { cookie: `__control=${TOKEN}` })).body).not.toContain('alice@example.com')
  const cookie = await server.signIn()
  for (const site of ['cross-site', 'same-site']) {
    const from = { ...cookie, 'sec-fetch-site': site }
    expect((await server.open('/mock/mail', from)).statusCode).toBe(403)
    const reset = await server.app.inject({ method: 'POST', url: '/mock/reset', headers: { ...BROWSER, ...from }, payload: {} })
    expect(reset.statusCode).toBe(403)
  }
})

test('programs get an error instead of the sign-in page, and a server without a token has no sign-in', async () => {
  await using server = await start()
  expect((await server.open('/mock/mail')).json()).toMatchObject({ code: 'permission_denied' })
  expect((await server.open('/mock/mailbox', { accept: 'application/json' })).json()).toMatchObject({ code: 'permission_denied' })
  await using local = await start({ token: null })
  expect((await local.give(TOKEN, { host: 'localhost' })).statusCode).toBe(404)
})

test('an address that tries too many tokens is rate-limited', async () => {
  await using server = await start({ rateLimits: true })
  for (let guess = 0; guess < 10; guess++) expect((await server.give(`guess ${guess}`)).statusCode).toBe(403)
  expect((await server.give(TOKEN)).statusCode).toBe(429)
})

test('R-1.24 the sign-in page is in the language of the browser', async () => {
  expect(
    await collectFailures(LANGUAGES, String, async (language) => {
      await using server = await start()
      const { body } = await server.open('/mock/mailbox', { 'accept-language': language })
      expect(body).toContain(`<html lang="${language}">`)
    }),
  ).toEqual([])
})
