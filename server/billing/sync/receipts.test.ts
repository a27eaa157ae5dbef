import { expect, test } from 'vitest'
import { buildMessage, renderMail } from '#server/mail/mail-render.ts'
import { mailsTo } from '#server/test/test-mail.ts'
import { BUYER, createPaymentTime, openCheckout, openPaymentWorld, payCheckout } from '#server/test/test-payments-world.ts'
import { processInbox, receiveEvent } from './webhook.ts'

test('each paid order and each renewal is followed by one receipt, also when Stripe reports the payment twice', async () => {
  const world = await openPaymentWorld()
  payCheckout(world, await openCheckout(world), '4242 4242 4242 4242')
  const time = createPaymentTime(world)
  await time(new Date('2026-03-03T09:00:00Z'))
  const receipts = () => mailsTo(world, BUYER.email, 'receipt')
  const [bought] = await receipts()
  expect(bought).toMatchObject({ language: 'en', data: { amount: '179', currency: 'gbp', device: String(BUYER.device) } })
  await time(new Date('2026-05-03T09:00:00Z'))
  expect((await receipts()).map(({ createdAt }) => createdAt.toISOString().slice(0, 7))).toEqual(['2026-03', '2026-04', '2026-05'])
  for (const event of world.stripe.events) {
    const { payload, signature } = world.stripe.sign({ ...event, id: `${event.id}_again` })
    await receiveEvent(world, payload, signature)
  }
  await processInbox(world)
  expect(await receipts()).toHaveLength(3)
})

test('a receipt carries its invoice as a PDF, in the language of the account, and leads to the tracker', async () => {
  const world = await openPaymentWorld()
  payCheckout(world, await openCheckout(world), '4242 4242 4242 4242')
  await createPaymentTime(world)(new Date('2026-03-03T09:00:00Z'))
  const [receipt] = await mailsTo(world, BUYER.email, 'receipt')
  const german = { ...receipt!, language: 'de' } as const
  const { subject, attachments } = await buildMessage(world, german, { date: world.clock.now() })
  const { number } = receipt!.data
  expect(subject).toBe(`Quittung ${number}`)
  expect(attachments).toEqual([expect.objectContaining({ filename: `${number}.pdf`, contentType: 'application/pdf' })])
  expect(attachments![0]!.content.subarray(0, 5).toString()).toBe('%PDF-')
  expect(renderMail(german, world).links).toEqual([`http://portal.test/trackers/${BUYER.device}`])
})
