import { writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import Fastify from 'fastify'
import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { openSqlite } from '#db/sqlite/open.ts'
import { limits } from '#scripts/test-setup/limits.ts'
import { PERSONAS } from '#server/mock/seed/records/personas.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { createStripeServer } from '#server/mock/stripe/index.ts'
import { createInstallation, findFreePort } from '#server/test/test-process.ts'

const { email, password } = PERSONAS[0]!
const KEY = 'sk_test_staging'

/** The fake Stripe alone, as `npx whereabouts stripe` serves it, on a port of this process. */
async function serveFake() {
  const { app } = createStripeServer({ origin: 'http://stripe.test' })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const pay = (url: string) => app.inject({ method: 'POST', url: new URL(url).pathname, headers: type, payload: 'number=4242424242424242' })
  const stripe = new Stripe(KEY, { host: '127.0.0.1', port, protocol: 'http' })
  return { url: `http://127.0.0.1:${port}`, stripe, pay, [Symbol.asyncDispose]: () => app.close() }
}

/** A server without a Stripe account, whose payments go to another address. */
async function serveStaging(installed: Awaited<ReturnType<typeof createInstallation>>, env: Record<string, string>) {
  const { PORT: port = String(await findFreePort()) } = env
  const server = installed.start('server/main.ts', { STRIPE_SECRET_KEY: KEY, LOG_LEVEL: 'warn', ...env, PORT: port })
  await server.says('listening')
  const post = (to: string, headers: Record<string, string>, body: object) =>
    fetch(`http://127.0.0.1:${port}${to}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const signIn = async () => {
    const { token } = await (await post('/api/v1/auth/web_get_token/', {}, { username: email, password })).json()
    return { authorization: `Bearer ${token}` }
  }
  return { ...server, post, signIn }
}

const CART = { items: [{ device: SEED.devices.oldTracker, price: 'eur-1m' }], options: [], success_path: '/', cancel_path: '/' }

test('the production server sells a subscription against the fake Stripe, without a network', async () => {
  await using fake = await serveFake()
  using installed = await createInstallation()
  installed.seed()
  const env = { STRIPE_SECRET_KEY: KEY, STRIPE_API_URL: fake.url }
  const { out } = await installed.start('server/operator.ts', env, ['prices']).ended
  const file = path.join(installed.data, 'prices.json')
  writeFileSync(file, out)
  expect(await installed.start('server/operator.ts', env, ['prices', file]).ended).toMatchObject({ code: 0 })
  expect(await fake.stripe.products.retrieve('whereabouts_eur-1m')).toMatchObject({ name: '1 month' })

  const port = await findFreePort()
  const { secret } = await fake.stripe.webhookEndpoints.create({
    url: `http://127.0.0.1:${port}/stripe/webhook/`,
    enabled_events: ['checkout.session.completed', 'invoice.paid'],
  })
  const server = await serveStaging(installed, { ...env, PORT: String(port), STRIPE_WEBHOOK_SECRET: secret! })
  expect(server.warnings().join()).toContain('payments do not go to Stripe')
  const session = await (await server.post('/users/payment_session/', await server.signIn(), CART)).json()
  expect((await fake.pay(session.url)).statusCode).toBe(303)
  const bought = () => {
    const { raw, close } = openSqlite(installed.file)
    const rows = raw.prepare(`select status from subscriptions where price_id = 'eur-1m' and provider_id like 'sub_test_%'`).all()
    close()
    return rows
  }
  await expect.poll(bought, { timeout: limits.poll }).toEqual([{ status: 'active' }])
})

test.each([
  ['is not reachable', async () => `http://127.0.0.1:${await findFreePort()}`],
  ['is another server', null],
] as const)('an address for payments that %s is logged in one line without a stack', async (_, findUrl) => {
  await using web = await serveWebPage()
  using installed = await createInstallation()
  installed.seed()
  const server = await serveStaging(installed, { STRIPE_API_URL: findUrl ? await findUrl() : web.url })
  const answer = await server.post('/users/payment_session/', await server.signIn(), CART)
  expect(answer.status).toBe(503)
  await server.says('the card provider does not answer')
  // A reminder of the demo data may be due while the test runs, and no mail server is there.
  const lines = server.warnings().filter((line) => !/STRIPE_API_URL is set|a mail was not sent/.test(line))
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['the card provider does not answer'])
  expect(lines.join()).not.toContain('stack')
})

/** A server that responds to every request with a web page. */
async function serveWebPage() {
  const app = Fastify()
  app.all('/*', (_, reply) => reply.type('text/html').send('<!doctype html><title>Hello</title>'))
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return { url, [Symbol.asyncDispose]: () => app.close() }
}
