import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import type { Tx } from '#db/db.ts'
import { recordEndings } from '#db/endings.ts'
import { users } from '#db/schema/accounts.ts'
import { devices } from '#db/schema/devices.ts'
import { endings } from '#db/schema/security.ts'
import { removePasskey } from '#server/accounts/factors/factors.store.ts'
import { deleteStop, findStop, insertStop } from '#server/contacts/contacts.store.ts'
import { listCounts } from '#server/lib/counts.ts'
import { sha256 } from '#server/lib/secrets.ts'
import { signInStaffAs } from '#server/operator/staff/sign-in.ts'
import { insertStaffKey } from '#server/operator/staff/staff.store.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { applyEndings } from './apply-endings.ts'
import { copyEndings, readEndings } from './endings-file.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const listEndings = async ({ world }: Portal) => world.db.read.select({ kind: endings.kind, hash: endings.hash }).from(endings)
const kindsOf = (rows: { kind: string }[]) => rows.map(({ kind }) => kind).sort()

/** A folder for a list; the worker that fills it is stopped at the end. */
function makeFolder() {
  const folder = mkdtempSync(path.join(tmpdir(), 'whereabouts-endings-'))
  return {
    file: path.join(folder, 'lists', 'endings.jsonl'),
    folder,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

const ADMIN = 'admin@pro.example.com'
const LEAKED = 'abcd'.repeat(10)
const SHOP = { label: 'Shop', role: 'support', createdAt: new Date(0) } as const

describe('what people end for good', () => {
  test('everything that a call ended is ended again in a database of the day before', async () => {
    await using portal = await startPortal()
    const call = async (...args: Parameters<Portal['call']>) => {
      const { status, body } = await portal.call(...args)
      expect([args[1], args[2], status < 300, status < 300 ? null : body]).toEqual([args[1], args[2], true, null])
      return body
    }
    const [link] = await call('alice@example.com', 'GET', '/tracker_public_share_links/')
    await call('alice@example.com', 'DELETE', `/tracker_public_share_links/${link.uuid}/`)
    const [contact] = await call('alice@example.com', 'GET', '/tracker_contacts/')
    await call('alice@example.com', 'DELETE', `/tracker_contacts/${contact.id}/`)
    const tokens = await call('alice@example.com', 'GET', '/users/tokens/')
    await call('alice@example.com', 'DELETE', `/users/tokens/${tokens[0].id}/`)
    await call('alice@example.com', 'POST', '/users/change_password/', { old_password: 'Demo-1234', new_password: 'Quiet-Harbour-71' })
    const team = await call(ADMIN, 'GET', '/users/team/')
    const member = team.find(({ role }: { role: string }) => role === 'pro')
    await call(ADMIN, 'DELETE', `/users/team/${member.id}/`)
    await call('zoe@example.com', 'DELETE', '/users/me/?profile=all')
    const ended = await listEndings(portal)
    expect(new Set(kindsOf(ended))).toEqual(new Set(['api_token', 'contact', 'password', 'public_link', 'tracker', 'user']))

    await using dayBefore = await startPortal()
    const again = await applyEndings(dayBefore.world, ended)
    expect(again).toMatchObject({ user: 2, contact: 1, password: 1, public_link: 1 })
    expect(await applyEndings(dayBefore.world, ended)).toEqual({})
    const { read } = dayBefore.world.db
    expect(await read.$count(users, eq(users.email, 'zoe@example.com'))).toBe(0)
    expect(await read.$count(users, eq(users.id, member.id))).toBe(0)
    expect(await read.$count(devices, eq(devices.accountId, 11))).toBe(0)
    expect((await dayBefore.call(null, 'GET', `/tracker_public_share_links/${link.uuid}/`)).status).toBe(404)
    const [alice] = await read.select().from(users).where(eq(users.email, 'alice@example.com'))
    expect(alice!.passwordHash).toBeNull()
  })

  test('a removed member of staff, and an ended key of another system, cannot call the console after a restore', async () => {
    const staff = async ({ world }: Portal) => {
      const admin = await signInStaffAs(world, { email: 'nora@shop.example', name: 'Nora King', role: 'admin' })
      const gone = await signInStaffAs(world, { email: 'gus@shop.example', name: 'Gus Gone', role: 'admin' })
      return { admin, gone }
    }
    await using dayBefore = await startPortal()
    const { gone } = await staff(dayBefore)
    await dayBefore.world.db.write('everything', (tx) => insertStaffKey(tx, { hash: sha256(LEAKED), ...SHOP }))
    await using portal = await startPortal()
    const { admin } = await staff(portal)
    await portal.world.db.write('everything', (tx) => insertStaffKey(tx, { hash: sha256(LEAKED), ...SHOP }))
    const members = (await portal.call(null, 'GET', '/operator/api/staff/', undefined, admin)).body
    const keys = (await portal.call(null, 'GET', '/operator/api/keys/', undefined, admin)).body
    const { id } = members.find(({ email }: { email: string }) => email === 'gus@shop.example')
    expect((await portal.call(null, 'DELETE', `/operator/api/staff/${id}/`, undefined, admin)).status).toBe(200)
    expect((await portal.call(null, 'DELETE', `/operator/api/keys/${keys[0].id}/`, undefined, admin)).status).toBe(200)

    const list = async (headers: Record<string, string>) =>
      (await dayBefore.call(null, 'GET', '/operator/api/orders/', undefined, headers)).status
    const system = { authorization: `Bearer ${LEAKED}` }
    expect([await list(gone), await list(system)]).toEqual([200, 200])
    expect(await applyEndings(dayBefore.world, await listEndings(portal))).toEqual({ staff_member: 1, staff_key: 1 })
    expect([await list(gone), await list(system)]).toEqual([401, 401])
  })

  test('a removed tracker leaves its account again, and its number can be added', async () => {
    await using portal = await startPortal()
    const [tracker] = await portal.world.db.read.select().from(devices).where(eq(devices.accountId, 5))
    await portal.world.db.write('everything', (tx) => recordEndings(tx, 'tracker', [`${tracker!.id}:${tracker!.createdAt.toISOString()}`]))
    await using dayBefore = await startPortal()
    expect(await applyEndings(dayBefore.world, await listEndings(portal))).toEqual({ tracker: 1 })
    expect(await dayBefore.world.db.read.$count(devices, eq(devices.id, tracker!.id))).toBe(0)
  })

  test('a contact who unsubscribed gets no alert mails after a restore, even after subscribing again in between', async () => {
    const address = { accountId: 1, email: 'bob@example.net' }
    const stop = (portal: Portal) =>
      portal.world.db.write('everything', (tx) => insertStop(tx, { ...address, stoppedAt: portal.world.clock.now() }))
    const allow = (portal: Portal) => portal.world.db.write('everything', (tx) => deleteStop(tx, address))
    const restored = async (list: Awaited<ReturnType<typeof listEndings>>, prepare?: (portal: Portal) => Promise<unknown>) => {
      await using dayBefore = await startPortal()
      await prepare?.(dayBefore)
      const ended = await applyEndings(dayBefore.world, list)
      expect(await applyEndings(dayBefore.world, list)).toEqual({})
      return { ended, isStopped: (await findStop(dayBefore.world.db.read, address)) !== undefined }
    }
    const stopAndAllow = async (portal: Portal) => {
      await stop(portal)
      await allow(portal)
    }
    await using portal = await startPortal()
    await stop(portal)
    const once = await listEndings(portal)
    expect(await restored(once)).toEqual({ ended: { mail_stop: 1 }, isStopped: true })
    expect(await restored(once, stopAndAllow)).toEqual({ ended: {}, isStopped: false })
    await allow(portal)
    await stop(portal)
    expect(await restored(await listEndings(portal), stopAndAllow)).toEqual({ ended: { mail_stop: 1 }, isStopped: true })
  })

  test('entries of another portal, or of kinds unknown to this release, end nothing', async () => {
    await using portal = await startPortal()
    const strange = [
      { kind: 'user', hash: 'a'.repeat(64) },
      { kind: 'satellite', hash: 'b'.repeat(64) },
    ]
    expect(await applyEndings(portal.world, strange as never)).toEqual({})
  })

  test('a passkey that does not exist adds no entry', async () => {
    await using portal = await startPortal()
    await portal.world.db.write('everything', (tx: Tx) => removePasskey(tx, { userId: 1, id: 12345 }))
    expect(await listEndings(portal)).toEqual([])
  })
})

describe('the list outside of the database', () => {
  const endLink = (portal: Portal, name: string) => portal.world.db.write('everything', (tx) => recordEndings(tx, 'public_link', [name]))
  const namesIn = (file: string) => (readEndings(file) ?? []).length

  test('each entry is in the list once, even after a restart and after a truncated line', async () => {
    await using portal = await startPortal()
    using folder = makeFolder()
    await endLink(portal, 'one')
    const first = copyEndings(portal.world, folder.file)
    await expect.poll(() => namesIn(folder.file)).toBe(1)
    await endLink(portal, 'two')
    await expect.poll(() => namesIn(folder.file)).toBe(2)
    await first.stop()
    const whole = readFileSync(folder.file, 'utf8')
    writeFileSync(folder.file, whole.slice(0, -20))
    await endLink(portal, 'three')
    const second = copyEndings(portal.world, folder.file)
    await expect.poll(() => namesIn(folder.file)).toBe(3)
    await second.stop()
    expect(new Set((readEndings(folder.file) ?? []).map(({ hash }) => hash)).size).toBe(3)
  })

  test('an entry that cannot be written is counted and logged once, and written as soon as possible', async () => {
    await using portal = await startPortal()
    using folder = makeFolder()
    const errors: string[] = []
    const log = { ...portal.world.log, error: (_: object, message: string) => void errors.push(message) }
    const blocker = path.join(folder.folder, 'lists')
    appendFileSync(blocker, 'a file where the folder has to be')
    await endLink(portal, 'one')
    const copier = copyEndings({ ...portal.world, log }, folder.file)
    const failures = () => listCounts(portal.world.db, 'job_failures_total').find(({ labels }) => labels.work === 'endings')?.value
    await expect.poll(failures).toBeGreaterThan(1)
    rmSync(blocker)
    await expect.poll(() => namesIn(folder.file)).toBe(1)
    await copier.stop()
    expect(errors).toEqual(['what people have ended could not be saved outside of the database'])
  })
})
