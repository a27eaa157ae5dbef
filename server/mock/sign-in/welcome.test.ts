import { expect, test } from 'vitest'
import { PERSONAS } from '#server/mock/seed/records/personas.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { welcome } from './welcome.ts'

test('every account offered on the sign-in page accepts the password shown', async () => {
  await using portal = await startPortal()
  expect(welcome.demo.accounts.length).toBeGreaterThan(3)
  for (const username of welcome.demo.accounts) {
    const { status, body } = await portal.call(null, 'POST', '/api/v1/auth/web_get_token/', { username, password: welcome.demo.password })
    expect([status, body.user?.email]).toEqual([200, username])
  }
})

test('the start-up text lists every address and account', async () => {
  await using portal = await startPortal()
  const text = welcome.text('http://localhost:8080')
  for (const email of welcome.demo.accounts) expect(text).toContain(email)
  expect(text).toContain(welcome.demo.password)
  const addresses = [...text.matchAll(/http:\/\/localhost:8080(\S*)/g)].map(([, path]) => path!)
  expect(addresses).toEqual(['', '/mock/mailbox', '/docs'])
  for (const path of addresses.slice(1)) expect((await portal.app.inject({ url: path })).statusCode, path).toBeLessThan(400)
})

test('the accounts offered cover the roles user, pro and admin', () => {
  const roles = PERSONAS.filter(({ email }) => welcome.demo.accounts.includes(email)).map(({ role }) => role)
  expect(new Set(roles)).toEqual(new Set(['user', 'pro', 'admin']))
})
