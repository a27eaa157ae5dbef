import { expect, test } from 'vitest'
import { LANGUAGES } from '#contracts/lib/languages.ts'
import { getWords } from '#server/mock/stripe/pages/page-parts.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const open = ({ world }: Portal, locale: (typeof LANGUAGES)[number] = 'en') =>
  world.payments.stripe.checkout.sessions.create({
    mode: 'payment',
    locale,
    success_url: 'http://portal.test/subscription?checkout={CHECKOUT_SESSION_ID}',
    cancel_url: 'http://portal.test/subscription?checkout=cancel&again="',
    line_items: [{ quantity: 1, price_data: { currency: 'eur', unit_amount: 1695, product_data: { name: '1 year – <b>Rex</b>' } } }],
  })

const visit = ({ app }: Portal, url: string) => app.inject({ method: 'GET', url })
const submit = ({ app }: Portal, id: string, number: string) =>
  app.inject({
    method: 'POST',
    url: `/mock/stripe/checkout/${id}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ number, expiry: '12 / 34', cvc: '123' }).toString(),
  })

test('the checkout shows that it is a test, the items and the total', async () => {
  await using portal = await startPortal()
  const { id } = await open(portal)
  const { statusCode, headers, body } = await visit(portal, `/mock/stripe/checkout/${id}`)
  expect(statusCode).toBe(200)
  expect(body).toContain('Test payment page, no real money')
  expect(body).toContain('€16.95')
  expect(body).toContain('1 year – &#60;b&#62;Rex&#60;/b&#62;')
  expect(body).toContain('href="http://portal.test/subscription?checkout=cancel&#38;again=&#34;"')
  expect(headers['content-security-policy']).toMatch(
    /default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self' http:\/\/portal\.test/,
  )
  expect(body).not.toMatch(/<script|style=|onclick/)
})

test('the checkout is translated to every language', async () => {
  await using portal = await startPortal()
  expect(
    await collectFailures(LANGUAGES, String, async (language) => {
      const { id } = await open(portal, language)
      const { body } = await visit(portal, `/mock/stripe/checkout/${id}`)
      expect(body).toContain(`<html lang="${language}">`)
      expect(body).toContain(getWords(language).banner)
    }),
  ).toEqual([])
})

test('the checkout refuses cards with the reason and does not repeat an unknown number', async () => {
  await using portal = await startPortal()
  const rows = [
    ['4000 0000 0000 0002', 'declined'],
    ['4000000000009995', 'insufficient_funds'],
    ['4000 0000 0000 0069', 'expired_card'],
    ['4111 1111 1111 1111', 'unknown_card'],
    ['', 'unknown_card'],
  ] as const
  expect(
    await collectFailures(
      rows,
      ([number, fault]) => `${number} ${fault}`,
      async ([number, fault]) => {
        const { id } = await open(portal)
        const { statusCode, body } = await submit(portal, id, number)
        expect(statusCode).toBe(402)
        expect(body).toContain(`<p class="alert" role="alert" id="fault">${getWords('en').fault[fault]}</p>`)
        expect(portal.world.stripe.findSession(id)?.status).toBe('open')
        if (fault === 'unknown_card' && number) expect(body).not.toContain(number)
      },
    ),
  ).toEqual([])
})

test("a paid checkout redirects to the shop's success URL, even when it is opened again", async () => {
  await using portal = await startPortal()
  const { id } = await open(portal)
  const paid = await submit(portal, id, '4242 4242 4242 4242')
  expect([paid.statusCode, paid.headers.location]).toEqual([303, `http://portal.test/subscription?checkout=${id}`])
  const back = await visit(portal, `/mock/stripe/checkout/${id}`)
  expect([back.statusCode, back.headers.location]).toEqual([303, paid.headers.location])
})

test('an expired checkout is answered with 410 and an unknown one with 404', async () => {
  await using portal = await startPortal()
  const { id } = await open(portal)
  portal.clock.set({ at: new Date('2026-03-03T09:00:00Z') })
  const closed = await visit(portal, `/mock/stripe/checkout/${id}`)
  expect([closed.statusCode, closed.body.includes('This payment is closed')]).toEqual([410, true])
  expect((await submit(portal, id, '4242 4242 4242 4242')).statusCode).toBe(410)
  expect((await visit(portal, '/mock/stripe/checkout/cs_unknown')).statusCode).toBe(404)
})

test('the billing portal links back to the page it was opened from', async () => {
  await using portal = await startPortal()
  const { body } = await portal.call('bruno@example.com', 'POST', '/users/portal/', { return_path: '/payment_methods' })
  const shown = await visit(portal, new URL(body.url).pathname)
  expect(shown.body).toContain('<html lang="fr">')
  expect(shown.body).toContain('href="http://portal.test/payment_methods"')
  expect((await visit(portal, '/mock/stripe/portal/unknown')).statusCode).toBe(404)
})

const openPortal = async (portal: Portal, email: string) => {
  const { body } = await portal.call(email, 'POST', '/users/portal/', { return_path: '/payment_methods' })
  return new URL(body.url).pathname
}
const typeCard = ({ app }: Portal, url: string, number: string, expiry = '12 / 34') =>
  app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ number, expiry, cvc: '123' }).toString(),
  })

test('the billing portal lists the saved cards, and an added card becomes the default', async () => {
  await using portal = await startPortal()
  const url = await openPortal(portal, 'alice@example.com')
  expect((await visit(portal, url)).body).toMatch(
    /mastercard •••• 4444, 08\/2027<\/th><td><.*visa •••• 4242, 05\/2028<\/th><td>Default card</,
  )
  const added = await typeCard(portal, url, '4000 0000 0000 0341', '7/29')
  expect([added.statusCode, added.headers.location]).toEqual([303, url])
  const { body, headers } = await visit(portal, url)
  expect(body).toMatch(/4242, 05\/2028<\/th><td><.*visa •••• 0341, 07\/2029<\/th><td>Default card</)
  expect(headers['content-security-policy']).toContain("form-action 'self'")
})

test('the billing portal refuses cards with the reason and does not save them', async () => {
  await using portal = await startPortal()
  const rows = [
    ['4000 0000 0000 0002', '12 / 34', 'declined'],
    ['4242 4242 4242 4242', '02 / 26', 'expired_card'],
    ['4242 4242 4242 4242', 'soon', 'expired_card'],
    ['4111 1111 1111 1111', '12 / 34', 'unknown_card'],
  ] as const
  expect(
    await collectFailures(
      rows,
      (row) => row.join(' '),
      async ([number, expiry, fault]) => {
        const url = await openPortal(portal, 'alice@example.com')
        const { statusCode, body } = await typeCard(portal, url, number, expiry)
        expect([statusCode, body.includes(getWords('en').fault[fault])]).toEqual([402, true])
        if (fault === 'unknown_card') expect(body).not.toContain(number)
        expect((await portal.call('alice@example.com', 'GET', '/users/payment_methods/')).body).toHaveLength(2)
        expect((await typeCard(portal, '/mock/stripe/portal/unknown', number)).statusCode).toBe(404)
      },
    ),
  ).toEqual([])
})

test('the billing portal is translated to every language', async () => {
  await using portal = await startPortal()
  expect(
    await collectFailures(LANGUAGES, String, async (language) => {
      const { stripe } = portal.world.payments
      const { url } = await stripe.billingPortal.sessions.create({
        customer: 'cus_seed_alice',
        locale: language,
        return_url: 'http://portal.test/',
      })
      const { body } = await visit(portal, new URL(url).pathname)
      for (const text of [`<html lang="${language}">`, getWords(language).addCard, getWords(language).outcome.declined_later])
        expect(body).toContain(text)
    }),
  ).toEqual([])
})

test('a card that needs confirmation is charged once confirmed, and another can be tried after a refusal', async () => {
  await using portal = await startPortal()
  const { id } = await open(portal, 'de')
  const confirm = `/mock/stripe/checkout/${id}/confirm`
  const answer = (word: string) =>
    portal.app.inject({
      method: 'POST',
      url: confirm,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: `answer=${word}`,
    })
  const asked = await submit(portal, id, '4000 0027 6000 3184')
  expect([asked.statusCode, asked.headers.location]).toEqual([303, confirm])
  expect((await visit(portal, confirm)).body).toContain(getWords('de').challenge.text)
  const no = await answer('no')
  expect([no.statusCode, no.body.includes(getWords('de').fault.authentication_failed)]).toEqual([402, true])
  await submit(portal, id, '4000 0084 0000 1629')
  expect((await answer('yes')).body).toContain(getWords('de').fault.declined)
  await submit(portal, id, '4000 0025 0000 3155')
  expect((await answer('yes')).headers.location).toBe(`http://portal.test/subscription?checkout=${id}`)
})

test('the billing portal cancels a subscription at the end of its period and resumes it', async () => {
  await using portal = await startPortal()
  const url = await openPortal(portal, 'haruka@example.com')
  const held = async () => (await portal.call('haruka@example.com', 'GET', '/users/subscriptions/')).body[0]
  const press = async (action: string) => {
    const form = /action="([^"]+subscriptions[^"]+)"/.exec((await visit(portal, url)).body)![1]!
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    await portal.app.inject({ method: 'POST', url: form, headers, payload: `action=${action}` })
    return held()
  }
  expect(await held()).toMatchObject({ type: 'recurring' })
  expect(await press('end')).toMatchObject({ type: 'one_time', renewal_date: null })
  expect(await press('keep')).toMatchObject({ type: 'recurring', renewal_date: expect.any(String) })
})

test('the stylesheet supports light and dark mode', async () => {
  await using portal = await startPortal()
  const { headers, body } = await visit(portal, '/mock/stripe/style.css')
  expect(headers['content-type']).toContain('text/css')
  expect(body).toContain('prefers-color-scheme: dark')
})

test('a checkout session exists in its own world only', async () => {
  await using portal = await startPortal()
  const { id } = await open(portal)
  await portal.worlds.create({ id: 'other', seed: 1 })
  const elsewhere = await portal.app.inject({ method: 'GET', url: `/mock/stripe/checkout/${id}`, headers: { 'x-world': 'other' } })
  expect(elsewhere.statusCode).toBe(404)
})
