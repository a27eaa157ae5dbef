import { inflateSync } from 'node:zlib'
import { eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { LANGUAGES } from '#contracts/lib/languages.ts'
import { findAccountOwner } from '#db/people.ts'
import { users } from '#db/schema/accounts.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { presentForm } from './theft.present.ts'
import { findOpenReport } from './theft.store.ts'

// The first map reads the streets of the whole city, which takes a while on a busy machine.
vi.setConfig({ testTimeout: 90_000 })

const { stolenScooter, newTracker, victorFree, harukaBike, proVan } = SEED.devices
const form = (device: number) => `/devices/${device}/theft_form/`

test('R-7.9 the theft form is downloaded as a PDF with its own file name', async () => {
  await using portal = await startPortal()
  const { status, headers, raw } = await portal.call('alice@example.com', 'GET', form(stolenScooter))
  expect(status).toBe(200)
  expect(headers['content-type']).toBe('application/pdf')
  expect(headers['content-disposition']).toContain(`attachment; filename="theft_form_${stolenScooter}.pdf"`)
  expect(raw.subarray(0, 5).toString()).toBe('%PDF-')
  expect(raw.length).toBeGreaterThan(5000)
})

test('R-6.9 the theft form of a tracker of another account is answered 404', async () => {
  await using portal = await startPortal()
  expect((await portal.call('alice@example.com', 'GET', form(victorFree))).status).toBe(404)
  expect((await portal.call(null, 'GET', form(stolenScooter))).status).toBe(401)
})

test('support reads the theft form of any tracker, a team member those of the team', async () => {
  await using portal = await startPortal()
  expect((await portal.call('support@example.com', 'GET', form(stolenScooter))).status).toBe(200)
  expect((await portal.call('admin@pro.example.com', 'GET', form(proVan))).status).toBe(200)
  expect((await portal.call('member@pro.example.com', 'GET', form(stolenScooter))).status).toBe(404)
})

test('the theft form has a map of the last position, and a link to follow the tracker when one works', async () => {
  await using portal = await startPortal()
  const read = async () => (await portal.call('alice@example.com', 'GET', form(stolenScooter))).raw.toString('latin1')
  const before = await read()
  expect(before).toContain('/Subtype /Image')
  expect(before).not.toContain('/URI')
  const links = `/devices/${stolenScooter}/public_share_link/`
  const { body } = await portal.call('alice@example.com', 'POST', links, { label: 'Police', end_date: '2026-03-09T09:00:00Z' })
  expect(await read()).toContain(`/URI (http://portal.test/pub/trackers?token=${body.uuid})`)
  portal.clock.set({ at: new Date('2026-03-09T09:00:00Z') })
  expect(await read()).not.toContain('/URI')
})

test('R-1.13 a tracker without a position has a theft form', async () => {
  await using portal = await startPortal()
  expect((await portal.call('alice@example.com', 'GET', form(newTracker))).status).toBe(200)
})

test('R-1.23 the theft form is drawn in every language', async () => {
  await using portal = await startPortal()
  const failures = await collectFailures(LANGUAGES, String, async (language) => {
    await portal.world.db.write('everything', (tx) => tx.update(users).set({ language }).where(eq(users.email, 'alice@example.com')))
    const { status, raw } = await portal.call('alice@example.com', 'GET', form(stolenScooter))
    expect(status).toBe(200)
    expect(raw.toString('latin1')).toContain(`/Lang (${language})`)
  })
  expect(failures).toEqual([])
})

test('a Japanese font is embedded only for a Japanese name', async () => {
  await using portal = await startPortal()
  const fontsOf = async (email: string, device: number) => textOf((await portal.call(email, 'GET', form(device))).raw)
  expect(await fontsOf('haruka@example.com', harukaBike)).toContain('NotoSansJP')
  expect(await fontsOf('alice@example.com', stolenScooter)).not.toContain('NotoSansJP')
})

test('the theft form shows owner, tracker, last position and the open report, and leaves lines for the police', async () => {
  await using portal = await startPortal()
  const { db, clock } = portal.world
  const [device] = await db.read.query.devices.findMany({ where: (table) => eq(table.id, stolenScooter) })
  const owner = await findAccountOwner(db.read, device!.accountId)
  const report = await findOpenReport(db.read, stolenScooter)
  const { sections, title, issued } = presentForm({ device: device!, owner: owner!, report, now: clock.now() }, 'en')
  expect([title, issued]).toEqual(['Theft report form', 'Issued on 2 March 2026 at 06:00 (UTC-03:00)'])
  const text = JSON.stringify(sections)
  for (const fact of ['alice@example.com', 'Stolen scooter', 'ALICE0000011', '10000000-11', 'Vehicle', report!.description])
    expect(text).toContain(fact)
  expect(text).toMatch(/-34\.\d{5}, -56\.\d{5}/)
  expect(sections.at(-1)!.rows.every((row) => row.value === null)).toBe(true)
})

function textOf(pdf: Buffer) {
  const source = pdf.toString('latin1')
  const streams = [...source.matchAll(/stream\n([\s\S]*?)\nendstream/g)].map(([, stream]) => {
    try {
      return inflateSync(Buffer.from(stream!, 'latin1')).toString('latin1')
    } catch {
      return ''
    }
  })
  return source + streams.join('')
}
