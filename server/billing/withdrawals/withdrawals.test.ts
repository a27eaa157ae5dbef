import { beforeEach, expect, test } from 'vitest'
import { item, startCheckout, submitPayment } from '#server/billing/subscriptions/test-purchase.ts'
import { createPaymentWorker } from '#server/billing/sync/payment-worker.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const ALICE = 'alice@example.com'
const PAGE = '/mail/withdraw/'
const { oldTracker } = SEED.devices

let portal: Portal
beforeEach(async () => {
  portal = await startPortal()
  return () => portal[Symbol.asyncDispose]()
})

const post = async (fields: Record<string, string>, query = '') => {
  const response = await portal.app.inject({
    method: 'POST',
    url: PAGE + query,
    payload: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  return { status: response.statusCode, text: response.body }
}
const declare = (reference: string, email = ALICE) => post({ reference, email, step: 'confirm' })
const readMail = async (to = ALICE) => {
  const [newest] = (await portal.call(null, 'GET', `/mock/mail?to=${to}&template=withdrawal`)).body as { id: number }[]
  return newest && (await portal.call(null, 'GET', `/mock/mail/${newest.id}`)).body
}
const buy = async () => {
  await submitPayment(portal, await startCheckout(portal, { items: [item(oldTracker, 'eur-1m')] }))
  return (await portal.call(ALICE, 'GET', '/users/orders/')).body[0] as { reference: string; invoice: number }
}
const findInvoice = async (id: number) =>
  (await portal.call(ALICE, 'GET', '/users/invoices/')).body.find((each: { id: number }) => each.id === id)

test('a customer withdraws in two steps without signing in, gets the receipt with its time, and the money goes back', async () => {
  const { reference, invoice } = await buy()
  expect((await portal.app.inject(PAGE)).body).toContain('Withdraw from a contract')
  const asked = await post({ reference: reference.toLowerCase(), email: ALICE, name: 'Alice' })
  expect(asked.text).toContain('Withdraw from contract now')
  expect(await readMail()).toBeUndefined()
  const done = await declare(reference)
  expect(done.text).toContain('March 2, 2026')
  expect(await readMail()).toMatchObject({ data: { reference, outcome: 'refund', datetime: '2026-03-02T09:00:00Z' } })
  await createPaymentWorker()(portal.world)
  const { amount } = await findInvoice(invoice)
  expect(await findInvoice(invoice)).toMatchObject({ refunded: amount })
  await declare(reference)
  expect(await readMail()).toMatchObject({ data: { outcome: 'again' } })
})

test('the page does not tell whether a contract exists', async () => {
  const { reference } = await buy()
  const strip = (text: string) => text.replaceAll(/ORD-\d+|[\w.]+@[\w.]+/g, '')
  const right = await declare(reference)
  expect(strip((await declare('ORD-9999')).text)).toBe(strip(right.text))
  expect(strip((await declare(reference, 'stranger@example.com')).text)).toBe(strip(right.text))
  expect(await readMail('stranger@example.com')).toMatchObject({ data: { outcome: 'unknown' } })
})

test('after 14 days it is too late', async () => {
  const { reference } = await buy()
  portal.clock.set({ at: new Date('2026-03-17T13:00:00Z') })
  await declare(reference)
  expect(await readMail()).toMatchObject({ data: { outcome: 'closed' } })
})

test('a device that was sent has to come back first', async () => {
  await declare(SEED.orders.shipping)
  expect(await readMail()).toMatchObject({ data: { outcome: 'return' } })
})

test('an invalid number or address shows the form again, in the language of the link', async () => {
  expect(await post({ reference: '1', email: ALICE })).toMatchObject({ status: 400 })
  expect((await post({ reference: '<b>', email: 'x' }, '?language=de')).text).toContain('Vertrag widerrufen')
  expect((await post({ reference: '<b>', email: 'x' })).text).not.toContain('<b>')
})

test('too many declarations for one address are refused', async () => {
  portal.world.limits.credentials = true
  for (let n = 0; n < 5; n++) expect((await declare(`ORD-${9000 + n}`)).status).toBe(200)
  expect((await declare('ORD-9100')).status).toBe(429)
})
