import { describe, expect, test } from 'vitest'
import { TEST_CARDS } from '#server/mock/stripe/api/cards.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { getWords } from './page-parts.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>
const BACK = 'http://portal.test/subscription?checkout=cancel'

const open = ({ world }: Portal, change: object = {}) =>
  world.payments.stripe.checkout.sessions.create({
    mode: 'payment',
    success_url: 'http://portal.test/done',
    cancel_url: BACK,
    line_items: [{ quantity: 2, price_data: { currency: 'usd', unit_amount: 1995, product_data: { name: '1 year' } } }],
    ...change,
  })
const page = async ({ app }: Portal, id: string) => (await app.inject({ url: `/mock/stripe/checkout/${id}` })).body

describe('checkout page', () => {
  test('the checkout page lists every test card with its outcome', async () => {
    await using portal = await startPortal()
    const body = await page(portal, (await open(portal)).id)
    const { outcome } = getWords('en')
    for (const { number, fault, asks } of TEST_CARDS)
      expect(body).toContain(`<code>${number}</code> ${asks === 'never' ? outcome[fault ?? 'paid'] : outcome.asks_declined.slice(0, 15)}`)
  })

  test('the checkout page links back without a payment, and the session stays open', async () => {
    await using portal = await startPortal()
    const { id } = await open(portal)
    expect(await page(portal, id)).toContain(`href="${BACK}"`)
    expect(portal.world.stripe.findSession(id)?.status).toBe('open')
    expect(portal.world.stripe.events).toEqual([])
  })

  test('a checkout without a cancel URL has no link back', async () => {
    await using portal = await startPortal()
    const { id } = await open(portal, { cancel_url: undefined })
    expect(await page(portal, id)).not.toContain('class="back"')
  })

  test('amounts are formatted in the currency of the session and the language of the buyer', async () => {
    await using portal = await startPortal()
    expect(await page(portal, (await open(portal, { locale: 'en' })).id)).toContain('$39.90')
    expect(await page(portal, (await open(portal, { locale: 'de' })).id)).toMatch(/39,90\s\$/u)
  })

  test('every field has a label and a fault is announced to screen readers', async () => {
    await using portal = await startPortal()
    const { id } = await open(portal)
    const body = await page(portal, id)
    const fields = [...body.matchAll(/<input id="(\w+)"/g)].map(([, name]) => name)
    expect(fields).toEqual(['number', 'expiry', 'cvc'])
    for (const field of fields) expect(body).toContain(`<label for="${field}">`)
    const { body: refused } = await portal.app.inject({
      method: 'POST',
      url: `/mock/stripe/checkout/${id}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'number=4000000000000002',
    })
    expect(refused).toMatch(/role="alert" id="fault"[\s\S]*aria-invalid="true" aria-describedby="fault"/)
  })

  test('the checkout page is neither cached nor framed', async () => {
    await using portal = await startPortal()
    const { headers } = await portal.app.inject({ url: `/mock/stripe/checkout/${(await open(portal)).id}` })
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  })
})

describe('checkout form', () => {
  const post = async (payload: string, type = 'application/x-www-form-urlencoded') => {
    await using portal = await startPortal()
    const { id } = await open(portal)
    const answer = await portal.app.inject({
      method: 'POST',
      url: `/mock/stripe/checkout/${id}`,
      headers: { 'content-type': type },
      payload,
    })
    return { status: answer.statusCode, session: portal.world.stripe.findSession(id)?.status }
  }

  test('a form without a card number is refused with 402', async () => {
    const rows = ['number[a]=4242424242424242', '', 'cvc=123']
    expect(
      await collectFailures(rows, JSON.stringify, async (form) => {
        expect(await post(form)).toEqual({ status: 402, session: 'open' })
      }),
    ).toEqual([])
  })

  test('a form with another content type is refused with 415', async () => {
    expect(await post('<number/>', 'text/xml')).toEqual({ status: 415, session: 'open' })
  })

  test('a form submitted twice simultaneously is charged once', async () => {
    await using portal = await startPortal()
    const { id } = await open(portal)
    const pay = () =>
      portal.app.inject({
        method: 'POST',
        url: `/mock/stripe/checkout/${id}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: 'number=4242424242424242',
      })
    const answers = await Promise.all([pay(), pay()])
    expect(answers.map(({ statusCode, headers }) => [statusCode, headers.location])).toEqual(
      Array.from({ length: 2 }, () => [303, 'http://portal.test/done']),
    )
    expect(portal.world.stripe.events.filter(({ type }) => type === 'charge.succeeded')).toHaveLength(1)
  })
})
