import { describe, expect, test } from 'vitest'
import { createSeededIds } from '#server/mock/lib/seeded-ids.ts'
import { attachFault, findTestCard, findTestCardByLast4, lastFourDigits, TEST_CARDS } from '#server/mock/stripe/api/cards.ts'
import { createProvider } from '#server/mock/stripe/api/provider.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { createStripeFetch } from './stripe-fetch.ts'

const KEY = 'sk_test_1'
const SESSIONS = '/v1/checkout/sessions'
const now = new Date('2026-03-02T09:00:00Z')

function begin() {
  const fetch = createStripeFetch(createProvider({ clock: { now: () => now }, ids: createSeededIds(1), origin: 'http://portal.test' }), KEY)
  return async (method: string, path: string, form = '', headers: Record<string, string> = {}) => {
    const authorization = { authorization: `Bearer ${KEY}` }
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const init = { method, headers: { ...authorization, ...type, ...headers }, ...(method === 'POST' && { body: form }) }
    const answer = await fetch(`https://api.stripe.com${path}`, init)
    return { status: answer.status, headers: answer.headers, body: await answer.json() }
  }
}

const line =
  'line_items[0][quantity]=1&line_items[0][price_data][currency]=eur&line_items[0][price_data][unit_amount]=100&line_items[0][price_data][product_data][name]=A'
const basket = `mode=payment&success_url=http://portal.test/&${line}`

describe('parameters', () => {
  test('a checkout with an unknown, missing or invalid parameter is rejected with its name', async () => {
    const rows = [
      ['an unknown parameter', `${basket}&colour=red`, 'parameter_unknown', 'colour'],
      ['an unknown nested parameter', `${basket}&line_items[0][colour]=red`, 'parameter_unknown', 'line_items[0][colour]'],
      ['no mode', basket.replace('mode=payment&', ''), 'parameter_missing', 'mode'],
      ['no quantity', basket.replace(/&[^&]*\[quantity\]=1/, ''), 'parameter_missing', 'line_items[0][quantity]'],
      ['no line item', 'mode=payment&success_url=http://portal.test/', 'parameter_missing', 'line_items'],
      ['a fractional amount', basket.replace('=100', '=10.5'), undefined, 'line_items[0][price_data][unit_amount]'],
      ['an amount in words', basket.replace('=100', '=ten'), undefined, 'line_items[0][price_data][unit_amount]'],
      ['an unsupported mode', basket.replace('=payment', '=setup'), undefined, 'mode'],
      ['a javascript: address', basket.replace('http:', 'javascript:'), undefined, 'success_url'],
      ['yes instead of true', `${basket}&invoice_creation[enabled]=yes`, undefined, 'invoice_creation[enabled]'],
      ['a metadata value that is too long', `${basket}&metadata[a]=${'x'.repeat(501)}`, undefined, 'metadata[a]'],
      ['an unsupported language', `${basket}&locale=tlh`, undefined, 'locale'],
    ] as const
    expect(
      await collectFailures(
        rows,
        ([name]) => name,
        async ([, form, code, param]) => {
          const { status, body } = await begin()('POST', SESSIONS, form)
          expect([status, body.error.type, body.error.code, body.error.param]).toEqual([400, 'invalid_request_error', code, param])
          expect(body.error.message).toContain(param)
        },
      ),
    ).toEqual([])
  })

  test('wrong parameters of a customer or a portal session are rejected by name', async () => {
    const call = begin()
    expect((await call('POST', '/v1/customers', 'email=not-an-address')).body.error.param).toBe('email')
    expect((await call('POST', '/v1/customers', 'name=Ada&age=36')).body.error).toMatchObject({ code: 'parameter_unknown', param: 'age' })
    expect((await call('POST', '/v1/billing_portal/sessions', 'return_url=http://portal.test/')).body.error.param).toBe('customer')
  })
})

describe('errors', () => {
  test("requests for unknown objects and endpoints fail with errors in Stripe's format", async () => {
    const rows = [
      ['GET', '/v1/customers/cus_1', 404, { code: 'resource_missing', param: 'id', message: "No such customer: 'cus_1'" }],
      ['DELETE', '/v1/customers/cus_1', 404, { code: 'resource_missing' }],
      ['GET', `${SESSIONS}/cs_1`, 404, { code: 'resource_missing', param: 'session' }],
      ['GET', `${SESSIONS}/cs_1/line_items`, 404, { code: 'resource_missing' }],
      ['POST', `${SESSIONS}/cs_1/expire`, 404, { code: 'resource_missing' }],
      ['GET', '/v1/coupons', 404, { message: 'Unrecognized request URL (GET: /v1/coupons).' }],
      ['DELETE', SESSIONS, 404, { message: `Unrecognized request URL (DELETE: ${SESSIONS}).` }],
    ] as const
    expect(
      await collectFailures(
        rows,
        ([method, path]) => `${method} ${path}`,
        async ([method, path, status, error]) => {
          const answer = await begin()(method, path)
          expect(answer).toMatchObject({ status, body: { error: { type: 'invalid_request_error', ...error } } })
        },
      ),
    ).toEqual([])
  })

  test('a wrong API key is rejected before the parameters are checked', async () => {
    const answer = await begin()('POST', '/v1/customers', 'age=36', { authorization: 'Bearer sk_test_2' })
    expect(answer).toMatchObject({ status: 401, body: { error: { message: 'Invalid API Key provided' } } })
  })
})

describe('idempotency keys', () => {
  const key = (name: string) => ({ 'idempotency-key': name })

  test('a repeated request gets the same body and is marked as a replay', async () => {
    const call = begin()
    const first = await call('POST', '/v1/customers', 'name=Ada', key('k'))
    const second = await call('POST', '/v1/customers', 'name=Ada', key('k'))
    expect(second.body).toEqual(first.body)
    expect([first.headers.get('idempotent-replayed'), second.headers.get('idempotent-replayed')]).toEqual([null, 'true'])
    expect(second.headers.get('request-id')).not.toBe(first.headers.get('request-id'))
  })

  test('a repeated key with other parameters or another path is rejected', async () => {
    const call = begin()
    await call('POST', '/v1/customers', 'name=Ada', key('k'))
    for (const [path, form] of [
      ['/v1/customers', 'name=Eve'],
      [SESSIONS, basket],
    ] as const)
      expect((await call('POST', path, form, key('k'))).body.error.type).toBe('idempotency_error')
  })

  test('a rejected request can be corrected under the same key', async () => {
    const call = begin()
    expect((await call('POST', '/v1/customers', 'age=36', key('k'))).status).toBe(400)
    expect((await call('POST', '/v1/customers', 'name=Ada', key('k'))).status).toBe(200)
  })

  test('requests without a key or with another key are executed again', async () => {
    const call = begin()
    const ids = new Set<string>()
    for (const headers of [{}, {}, key('a'), key('b')]) ids.add((await call('POST', '/v1/customers', 'name=Ada', headers)).body.id)
    expect(ids.size).toBe(4)
  })
})

describe('test cards', () => {
  test('the table shows which cards can be saved and which require confirmation', () => {
    const faultOf = (number: string) => findTestCard(number)?.fault
    expect(TEST_CARDS.map(({ fault }) => fault)).toEqual([
      ...[null, null, null],
      ...['declined', 'declined', 'insufficient_funds', 'expired_card', 'incorrect_cvc', null, 'declined'],
    ])
    expect(TEST_CARDS.filter((card) => !attachFault(card)).map((card) => card.number.slice(-4))).toEqual([
      '4242',
      '3155',
      '3184',
      '0259',
      '0341',
    ])
    expect(TEST_CARDS.filter(({ asks }) => asks !== 'never').map((card) => card.number.slice(-4))).toEqual(['3155', '3184', '1629'])
    for (const card of TEST_CARDS) expect([faultOf(card.number), findTestCardByLast4(lastFourDigits(card))]).toEqual([card.fault, card])
    expect(findTestCardByLast4('1234')).toBeUndefined()
  })

  test('a card number is recognized regardless of its spacing', async () => {
    const rows = ['4242424242424242', '4242-4242-4242-4242', ' 4242 4242 4242 4242 ']
    expect(
      await collectFailures(rows, String, (number) => {
        expect(findTestCard(number)?.fault).toBeNull()
      }),
    ).toEqual([])
  })

  test('card numbers other than test cards, which could be real, are not accepted', async () => {
    const rows = ['4111 1111 1111 1111', '424242424242424', '42424242424242420', '４２４２４２４２４２４２４２４２', 'visa', '']
    expect(
      await collectFailures(rows, String, (number) => {
        expect(findTestCard(number)).toBeUndefined()
      }),
    ).toEqual([])
  })
})
