import { expect, test } from 'vitest'
import { throttles, tokens, users } from '#db/schema/accounts.ts'
import { emails } from '#db/schema/messages.ts'
import { serialChecks } from '#db/schema/sharing.ts'
import { SEED_KEYS } from '#server/mock/seed/records/seed-secrets.ts'
import { cleanUp } from './clean-up.ts'
import { runDue } from './run-jobs.ts'
import { days, hours, startJobsPortal } from './test-jobs.ts'

const refs = (fired: { ref: string }[]) => fired.map(({ ref }) => ref)

test('sessions, throttle counts and serial proofs are deleted at the full hour after their end', async () => {
  await using portal = await startJobsPortal()
  await portal.token('alice@example.com')
  await portal.world.db.write('everything', async (tx) => {
    await tx.update(tokens).set({ expiresAt: hours(1.2) })
    await tx.insert(throttles).values({ key: 'k', count: 1, resetsAt: hours(0.2) })
    await tx
      .insert(serialChecks)
      .values({ identifier: '8000000001', remaining: 3, proofHash: 'h', proofUserId: 1, proofExpiresAt: hours(1.7) })
  })
  expect(await portal.advance('PT59M', 'clean_up')).toEqual([])
  expect(await portal.advance('PT1M', 'clean_up')).toEqual([{ at: '2026-03-02T10:00:00Z', kind: 'clean_up', ref: 'tries' }])
  expect(refs(await portal.advance('PT1H', 'clean_up'))).toEqual(['sessions', 'serial_proofs'])
  const { read } = portal.world.db
  expect([await read.$count(tokens), await read.$count(throttles)]).toEqual([0, 0])
  expect(await read.select().from(serialChecks)).toMatchObject([{ proofHash: null, proofExpiresAt: null, proofUserId: null }])
})

test('an expired e-mail key is reported as expired for 30 days; one that confirmed an address stays', async () => {
  await using portal = await startJobsPortal()
  const { read } = portal.world.db
  const reset = (key: string) => portal.call(null, 'POST', '/users/password_reset/confirm/', { key, new_password: 'Another-1234' })
  await runDue(portal.world, days(27), { jobs: [cleanUp] })
  expect((await reset(SEED_KEYS.resetExpired)).status).toBe(410)
  await runDue(portal.world, days(29), { jobs: [cleanUp] })
  expect((await reset(SEED_KEYS.resetExpired)).status).toBe(404)
  await runDue(portal.world, days(400), { jobs: [cleanUp] })
  expect((await read.query.emailKeys.findMany()).map(({ kind, usedAt }) => [kind, usedAt !== null])).toEqual([['confirm', true]])
})

test('mails are deleted 90 days after they were sent or given up; unsent mails stay', async () => {
  await using portal = await startJobsPortal()
  const { db } = portal.world
  const unsent = { to: 'a@example.org', template: 'confirm_email', language: 'en' as const, data: {}, createdAt: days(-300) }
  await db.write('everything', (tx) => tx.insert(emails).values([unsent, { ...unsent, to: 'b@example.org', givenUpAt: days(0) }]))
  expect(refs(await runDue(portal.world, days(89), { jobs: [cleanUp] }))).not.toContain('sent_mails')
  expect(refs(await runDue(portal.world, days(90), { jobs: [cleanUp] }))).toContain('sent_mails')
  expect((await db.read.select().from(emails)).map(({ to }) => to)).toEqual(['a@example.org'])
})

test('fired alerts are deleted after a year', async () => {
  await using portal = await startJobsPortal()
  const list = async () => (await portal.call('alice@example.com', 'GET', '/alert_firings/')).body.firings
  expect(await list()).toHaveLength(7)
  await runDue(portal.world, days(324), { jobs: [cleanUp] })
  expect(await list()).toHaveLength(7)
  await runDue(portal.world, days(325), { jobs: [cleanUp] })
  expect(await list()).toHaveLength(6)
})

test('an account that is not confirmed within 30 days is deleted; one with a tracker, and confirmed ones, stay', async () => {
  await using portal = await startJobsPortal()
  const { read } = portal.world.db
  const register = (email: string) =>
    portal.call(null, 'POST', '/users/register', { email, password: 'correct horse battery', first_name: 'N', last_name: 'N' })
  const [idle, using] = ['idle@example.org', 'using@example.org']
  for (const email of [idle, using]) expect((await register(email)).status).toBe(201)
  expect((await portal.call(using, 'POST', '/devices/trackers/', { identifier: '90000000-03', name: 'Boat', kind: 'other' })).status).toBe(
    201,
  )
  const known = async () =>
    (await read.select().from(users))
      .map(({ email }) => email)
      .filter((email) => [idle, using, 'alice@example.com'].includes(email))
      .sort()
  await runDue(portal.world, days(29), { jobs: [cleanUp] })
  expect(await known()).toEqual(['alice@example.com', idle, using])
  await runDue(portal.world, days(30), { jobs: [cleanUp] })
  expect(await known()).toEqual(['alice@example.com', using])
})

test('an empty world has no next clean-up', async () => {
  await using portal = await startJobsPortal()
  await runDue(portal.world, days(400), { jobs: [cleanUp] })
  expect(await cleanUp.next(portal.world.db.read, days(400), null)).toBeNull()
})
