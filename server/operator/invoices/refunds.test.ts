import { beforeEach, expect, test } from 'vitest'
import { invoices } from '#db/schema/commerce.ts'
import { creditNotes } from '#db/schema/returns.ts'
import { findDevice } from '#server/billing/records/subscriptions.store.ts'
import { item, startCheckout, submitPayment } from '#server/billing/subscriptions/test-purchase.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { signInStaffAs } from '#server/operator/staff/sign-in.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { operateExport, operateRefund } from './money-command.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const ALICE = 'alice@example.com'
const API = '/operator/api/invoices/'
const { aliceFirst, brunoFailed } = SEED.invoices
const { oldTracker } = SEED.devices

let portal: Portal
let kim: Record<string, string>
beforeEach(async () => {
  portal = await startPortal()
  kim = await signInStaffAs(portal.world, { email: 'kim@shop.example', name: 'Kim', role: 'finance' })
  return () => portal[Symbol.asyncDispose]()
})

const refund = (id: number, body: object = {}, headers = {}) =>
  portal.call(null, 'POST', `${API}${id}/refund/`, body, { ...kim, ...headers })
const read = async (id: number) => (await portal.call(null, 'GET', `${API}${id}/`, undefined, kim)).body
const list = async (query: string) => {
  const { body } = await portal.call(null, 'GET', `${API}${query}`, undefined, kim)
  return body.invoices.map(({ number }: { number: string }) => number)
}
const subjects = async () =>
  ((await portal.call(null, 'GET', `/mock/mail?to=${ALICE}`)).body as { subject: string }[]).map(({ subject }) => subject)
const readEnd = async () => (await findDevice(portal.world.db.read, oldTracker))!.subEndDate!
const isRenewed = async () => {
  const { body } = await portal.call(ALICE, 'GET', '/users/subscriptions/')
  return body.find(({ device }: { device: number }) => device === oldTracker).renewal !== null
}

async function buy(price = 'eur-1m') {
  await submitPayment(portal, await startCheckout(portal, { items: [item(oldTracker, price)] }))
  const [bought] = (await portal.call(ALICE, 'GET', '/users/invoices/')).body
  return bought as { id: number; number: string; amount: number; order: string }
}

test('a refund in parts leaves the service, makes a credit note each, and mails each once', async () => {
  const { id, number, amount } = await buy()
  const end = await readEnd()
  expect(await refund(id, { amount: 50 })).toMatchObject({
    status: 200,
    body: { refunded: 50, refundable: amount - 50, credit_notes: [{ number: 'CN-1001', amount: 50, reason: 'refund' }] },
  })
  expect((await refund(id, { amount: 30 })).body.credit_notes).toMatchObject([{ number: 'CN-1001' }, { number: 'CN-1002', amount: 30 }])
  expect(await readEnd()).toEqual(end)
  expect((await subjects()).filter((subject) => subject === `Money back for ${number}`)).toHaveLength(2)
  expect(await refund(id, { amount })).toMatchObject({ status: 400, body: { errors: { amount: [expect.any(String)] } } })
  expect(await refund(id, { amount: 0 })).toMatchObject({ status: 400, body: { errors: { amount: [expect.any(String)] } } })
})

test('a refund in whole ends the months and the renewal that the invoice paid for', async () => {
  const before = await readEnd()
  const { id, amount } = await buy()
  expect(await isRenewed()).toBe(true)
  expect((await refund(id)).body).toMatchObject({ refunded: amount, refundable: 0, payments: [{ amount, card: 'visa 4242' }] })
  expect(await isRenewed()).toBe(false)
  expect(await readEnd()).toEqual(new Date(Math.max(before.getTime(), portal.clock.now().getTime())))
  expect(await refund(id)).toMatchObject({ status: 409, body: { code: 'nothing_to_refund' } })
})

test('a repeat with the same Idempotency-Key pays once, and so do two members of staff at the same moment', async () => {
  const { id } = await buy()
  const key = { 'idempotency-key': 'refund-1' }
  const first = await refund(id, { amount: 50 }, key)
  expect((await refund(id, { amount: 50 }, key)).body).toEqual(first.body)
  expect(await refund(id, { amount: 60 }, key)).toMatchObject({ status: 409, body: { code: 'key_used_elsewhere' } })
  const both = await Promise.all([refund(id), refund(id)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(await portal.world.db.read.$count(creditNotes)).toBe(2)
})

test('a disputed payment is not refunded, and a lost dispute is a credit note', async () => {
  const { id, amount } = await buy()
  await portal.call(null, 'POST', `/mock/payments/invoices/${id}/dispute`, {})
  expect(await refund(id)).toMatchObject({ status: 409, body: { code: 'disputed' } })
  await portal.call(null, 'POST', `/mock/payments/invoices/${id}/dispute`, { outcome: 'lost' })
  expect(await read(id)).toMatchObject({ dispute: 'lost', credit_notes: [{ reason: 'dispute', amount }] })
  expect(await isRenewed()).toBe(false)
})

test('an unpaid invoice cannot be refunded, and support can read invoices but not refund them', async () => {
  expect(await refund(brunoFailed)).toMatchObject({ status: 409, body: { code: 'nothing_to_refund' } })
  expect((await refund(987654)).status).toBe(404)
  kim = await signInStaffAs(portal.world, { email: 'sue@shop.example', name: 'Sue', role: 'support' })
  expect((await read(aliceFirst)).number).toBe('INV-1001')
  expect((await refund(aliceFirst)).status).toBe(403)
})

test('invoices are listed by state, and found by number, mail, order and credit note', async () => {
  const { id, number, order } = await buy()
  await refund(id, { amount: 10 })
  expect((await list(''))[0]).toBe(number)
  expect(await list('?state=refunded')).toEqual([number])
  expect(await list('?state=failed&search=bruno@')).toEqual(['INV-1012'])
  for (const search of [number, order, 'CN-1001']) expect(await list(`?search=${search}`)).toEqual([number])
  expect(await list('?search=no-such-person')).toEqual([])
})

test('the operator refunds by a command, and exports what an accountant books', async () => {
  const { number } = await buy()
  const lines: string[] = []
  const ports = { ...portal.world, print: (line: string) => void lines.push(line) }
  expect(await operateRefund(ports, [number, '--amount=0.50'])).toBe(true)
  expect(lines).toEqual([`Paid back of ${number}: 0.50 EUR in all, the last by credit note CN-1001.`])
  await expect(operateRefund(ports, [number, '--amount=1000'])).rejects.toThrow('cannot be paid back')
  await expect(operateRefund(ports, ['INV-999999'])).rejects.toThrow('no invoice')
  expect(await operateRefund(ports, ['refund'])).toBe(false)

  const parts: string[] = []
  const exported = { db: portal.world.db, write: (text: string) => void parts.push(text) }
  expect(await operateExport(exported, ['accounting', '--from=2026-03-01', '--to=2026-03-31'])).toBe(true)
  const csv = parts.join('')
  const [head, ...rows] = csv.trimEnd().split('\r\n')
  expect(head).toMatch(/^kind,number,date,invoice,order,customer,country,currency,net,tax,gross,tax_rate,tax_country,/)
  const ofInvoice = rows.filter((row) => row.includes(number)).map((row) => row.split(',')[0])
  expect(ofInvoice).toEqual(['invoice', 'payment', 'credit_note', 'refund'])
  expect(csv).toContain(',-0.50,')
  expect(await operateExport(exported, ['accounting', '--from=2026-03-01'])).toBe(false)
  const path = '/operator/api/accounting/?from=2026-03-02&to=2026-03-01'
  expect(await portal.call(null, 'GET', path, undefined, kim)).toMatchObject({
    status: 400,
    body: { errors: { to: [expect.any(String)] } },
  })
})

test('the export has each invoice once, also where a page ends between invoices of the same instant', async () => {
  const { db } = portal.world
  const [invoice] = await db.read.select().from(invoices).limit(1)
  const [first, date] = [50_000, new Date('2027-05-05T12:00:00Z')]
  await db.write('everything', async (tx) => {
    for (let from = 0; from < 2100; from += 50) {
      const rows = Array.from({ length: 50 }, (_, nth) => ({
        ...invoice!,
        id: first + from + nth,
        number: `INV-${first + from + nth}`,
        providerId: null,
        date,
      }))
      await tx.insert(invoices).values(rows)
    }
  })
  const parts: string[] = []
  await operateExport({ db, write: (text) => void parts.push(text) }, ['accounting', '--from=2027-05-05', '--to=2027-05-05'])
  const rows = parts.join('').trimEnd().split('\r\n').slice(1)
  const numbers = rows.map((row) => row.split(',')[1])
  expect(numbers).toEqual(Array.from({ length: 2100 }, (_, nth) => `INV-${first + nth}`))
})
