import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { emails } from '#db/tables/emails.ts'
import { startPortal } from '#server/mock/testing.ts'
import { queueMail } from './mail.ts'

test('mails are put into the outbox in one place: alerts, sign-up and resets alike', () => {
  const sources = readdirSync('server', { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !/\.test\.ts$/.test(name),
  )
  const writers = sources.filter((name) => /\binsertMail\b|insert\(emails\)/.test(readFileSync(`server/${name}`, 'utf8')))
  expect(writers.toSorted()).toEqual(['lib/mail-outbox/store.ts', 'lib/mail.ts'])
})

test('a mail goes with the change that causes it: what is rolled back mails nobody', async () => {
  await using portal = await startPortal()
  const { db, clock } = portal.world
  const before = await db.read.$count(emails)
  const mail = { to: 'a@example.org', template: 'confirm_email', language: 'en', data: { key: 'k' }, now: clock.now() } as const
  const change = db.write(async (tx) => {
    await queueMail(tx, mail)
    throw new Error('the change failed')
  })
  await expect(change).rejects.toThrow('the change failed')
  expect(await db.read.$count(emails)).toBe(before)
})
