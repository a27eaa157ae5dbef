import { describe, expect, test } from 'vitest'
import { createPayments, stripeId } from './payments.ts'

const keys = { secretKey: 'sk_test_secret', publicKey: 'pk_test_1', webhookSecret: 'whsec_1' }

function provider(...statuses: number[]) {
  return providerAt(undefined, ...statuses)
}

function providerAt(apiUrl: string | undefined, ...statuses: number[]) {
  const asked: { url: string; headers: Headers; body: string }[] = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    asked.push({ url: request.url, headers: request.headers, body: await request.text() })
    const status = statuses.shift() ?? 200
    return Response.json(status === 200 ? { id: 'cus_1', object: 'customer' } : { error: { message: 'later' } }, {
      status,
      headers: { 'stripe-should-retry': String(status >= 500) },
    })
  }
  return { asked, payments: createPayments({ ...keys, apiUrl, fetch }) }
}

describe('the Stripe SDK', () => {
  test("requests go to Stripe's own address with the secret key and without telemetry", async () => {
    const { asked, payments } = provider()
    await payments.stripe.customers.create({ email: 'ada@example.com' })
    await payments.stripe.customers.create({ email: 'ada@example.com' })
    expect(asked[1]!.url).toBe('https://api.stripe.com/v1/customers')
    expect(asked[1]!.headers.get('authorization')).toBe('Bearer sk_test_secret')
    expect(asked[1]!.headers.get('x-stripe-client-telemetry')).toBeNull()
    expect(asked[1]!.body).toBe('email=ada%40example.com')
  })

  test.each([
    ['http://localhost:12111', 'http://localhost:12111/v1/customers'],
    ['http://127.0.0.1', 'http://127.0.0.1/v1/customers'],
    ['https://stripe.staging.example', 'https://stripe.staging.example/v1/customers'],
    ['http://[::1]:12111', 'http://[::1]:12111/v1/customers'],
  ])('with the address %s requests go there, including those of users', async (apiUrl, url) => {
    const { asked, payments } = providerAt(apiUrl)
    await payments.stripe.customers.create({})
    await payments.connectUntil(new AbortController().signal).customers.create({})
    expect(asked.map((one) => one.url)).toEqual([url, url])
  })

  test('a failed request is retried with the same idempotency key, so that nothing is bought twice', async () => {
    const { asked, payments } = provider(500, 503)
    expect(await payments.stripe.customers.create({})).toMatchObject({ id: 'cus_1' })
    expect(asked).toHaveLength(3)
    expect(new Set(asked.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1)
  })

  test('a refused request is not retried', async () => {
    const { asked, payments } = provider(400)
    await expect(payments.stripe.customers.create({})).rejects.toMatchObject({ statusCode: 400 })
    expect(asked).toHaveLength(1)
  })

  test('the portal gets only the public key', () => {
    expect(createPayments(keys)).toMatchObject({ publicKey: 'pk_test_1', webhookSecret: 'whsec_1' })
  })

  test.each([
    ['sk_test_secret', false],
    ['sk_live_secret', true],
    ['rk_live_secret', true],
  ])('with the key %s isLive is %s', (secretKey, isLive) => {
    expect(createPayments({ ...keys, secretKey }).isLive).toBe(isLive)
  })

  test.each([
    ['in_1', 'in_1'],
    [{ id: 'in_2' }, 'in_2'],
    [null, null],
    [undefined, null],
  ])('the id of %j is read from an object or an id', (thing, id) => expect(stripeId(thing)).toBe(id))
})
