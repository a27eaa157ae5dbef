import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { emails } from '#db/schema/messages.ts'
import { renderMail } from '#server/mail/mail-render.ts'
import { DEVICE_KEY } from '#server/mock/seed/records/seed-secrets.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { mailsTo } from '#server/test/test-mail.ts'
import { queueMail } from './outbox.store.ts'

test('alerts, sign-up and password resets all put their mails into the outbox through one function', () => {
  const sources = readdirSync('server', { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.startsWith('mock/') && !/\.test\.ts$/.test(name),
  )
  const writers = sources.filter((name) => /insert\(emails\)/.test(readFileSync(`server/${name}`, 'utf8')))
  expect(writers.toSorted()).toEqual(['outbox/outbox.store.ts'])
})

test("R-1.23 mails of alerts are in the owner's language and time zone, and are deleted with the account", async () => {
  await using portal = await startPortal()
  const message = { identifier: '30000000-01', battery: 5, positions: [] }
  expect((await portal.call(null, 'POST', '/devices/ingest/', message, { 'x-device-key': DEVICE_KEY })).status).toBe(201)
  const [mail] = await mailsTo(portal.world, 'haruka@example.com')
  expect(mail).toMatchObject({ template: 'low_battery', language: 'ja', timeZone: 'America/Montevideo', userId: 8 })
  expect(renderMail(mail!, portal.world).text).toContain('2026年3月2日 06:00 ウルグアイ標準時')
})

test('a mail is part of the transaction that causes it: a rollback sends none', async () => {
  await using portal = await startPortal()
  const { db, clock } = portal.world
  const before = await db.read.$count(emails)
  const mail = { to: 'a@example.org', template: 'confirm_email', language: 'en', data: { key: 'k' }, now: clock.now() } as const
  const change = db.write('everything', async (tx) => {
    await queueMail(tx, mail)
    throw new Error('the change failed')
  })
  await expect(change).rejects.toThrow('the change failed')
  expect(await db.read.$count(emails)).toBe(before)
})
