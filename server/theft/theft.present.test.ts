import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { LANGUAGES } from '#contracts/lib/languages.ts'
import { findAccountOwner, findLanguage } from '#db/people.ts'
import { toFixed7 } from '#db/positions.ts'
import { findDevice } from '#server/billing/records/subscriptions.store.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { splitByScript } from '#server/pdf/pdf-fonts.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { type Form, presentForm, words } from './theft.present.ts'
import { findOpenReport } from './theft.store.ts'
import { drawForm } from './theft-pdf.ts'

const NOW = new Date('2026-03-02T09:00:00Z')
const { stolenScooter, rex } = SEED.devices

async function facts() {
  await using portal = await startPortal()
  const { read } = portal.world.db
  const device = (await findDevice(read, stolenScooter))!
  return { device, owner: (await findAccountOwner(read, device.accountId))!, report: await findOpenReport(read, stolenScooter), now: NOW }
}

const row = (form: Form, label: string) => form.sections.flatMap(({ rows }) => rows).find((one) => one.label === label)?.value

describe('content of the theft form', () => {
  test('coordinates have five digits, which is a metre, on either side of the equator', async () => {
    const known = await facts()
    const device = { ...known.device, lat: toFixed7(0.000_004), lng: toFixed7(-179.999_999_9), precision: 12 }
    const form = presentForm({ ...known, device }, 'en')
    expect(row(form, words.en.coordinates)).toBe('0.00000, -180.00000')
    expect(row(form, words.en.accuracy)).toContain('12')
  })

  test('an unknown value is a dash, never an empty line, which would be one to write on', async () => {
    const known = await facts()
    const device = { ...known.device, serial: null as never, identifier: null, precision: null, address: null }
    const form = presentForm({ ...known, device }, 'en')
    for (const label of [words.en.serial, words.en.identifier, words.en.accuracy, words.en.address])
      expect(row(form, label), label).toBe('–')
  })

  test('every field of the open report is on the form', async () => {
    const known = await facts()
    const report = { ...known.report!, address: 'Ellauri 350', description: 'The lock was cut.', policeReference: 'MVD-1' }
    const form = presentForm({ ...known, report }, 'en')
    expect(row(form, words.en.reportPlace)).toBe('Ellauri 350')
    expect(row(form, words.en.description)).toBe('The lock was cut.')
    expect(row(form, words.en.policeReference)).toBe('MVD-1')
    expect(row(form, words.en.reportDate)).toMatch(/\(UTC-03:00\)$/)
  })

  test('R-1.13 without a report or a position the form says so', async () => {
    const { report: _, ...known } = await facts()
    const form = presentForm({ ...known, device: { ...known.device, lat: null }, report: undefined }, 'de')
    expect(form.sections.flatMap(({ note }) => note ?? [])).toEqual([words.de.noPosition, words.de.noReport])
  })

  test("the owner's name has the family name first in Japanese and Hungarian", async () => {
    const known = await facts()
    const owner = { ...known.owner, firstName: 'Haruka', lastName: 'Sato' }
    for (const language of LANGUAGES) {
      const isFamilyFirst = language === 'ja' || language === 'hu'
      expect(row(presentForm({ ...known, owner }, language), words[language].ownerName), language).toBe(
        isFamilyFirst ? 'Sato Haruka' : 'Haruka Sato',
      )
    }
  })

  test('R-1.23 the form is complete in every language', async () => {
    const failures = await collectFailures(LANGUAGES, String, async (language) => {
      const form = presentForm(await facts(), language)
      expect(JSON.stringify(form)).not.toMatch(/\{\{|undefined|null,"rows"/)
      expect(form.sections).toHaveLength(5)
      expect(Object.keys(words[language]).toSorted()).toEqual(Object.keys(words.en).toSorted())
      if (language !== 'en') expect(form.title).not.toBe(words.en.title)
    })
    expect(failures).toEqual([])
  })

  test('times are in the time zone of the account and have their offset from UTC, in the order of the language', async () => {
    const known = await facts()
    const issuedIn = (timeZone: string | null, language: 'en' | 'de' = 'en') =>
      presentForm({ ...known, owner: { ...known.owner, timeZone } }, language).issued
    expect(issuedIn('America/Montevideo')).toBe('Issued on 2 March 2026 at 06:00 (UTC-03:00)')
    expect(issuedIn('Europe/Berlin', 'de')).toBe('Ausgestellt am 2. März 2026 um 10:00 (UTC+01:00)')
    expect([issuedIn(null), issuedIn('Nowhere/Land')]).toEqual(Array(2).fill('Issued on 2 March 2026 at 09:00 (UTC)'))
  })
})

describe('the owner and language of the theft form', () => {
  test("the form of a team's tracker names the administrator, not the member", async () => {
    await using portal = await startPortal()
    const { read } = portal.world.db
    const van = (await findDevice(read, SEED.devices.proVan))!
    expect((await findAccountOwner(read, van.accountId))?.email).toBe('admin@pro.example.com')
  })

  test('a tracker without a report has no open report', async () => {
    await using portal = await startPortal()
    expect(await findOpenReport(portal.world.db.read, rex)).toBeUndefined()
  })

  test('R-1.24 the form is in the language of the signed-in user, not of the owner', async () => {
    await using portal = await startPortal()
    const [bruno] = await portal.world.db.read.query.users.findMany({ where: (user, { eq }) => eq(user.email, 'bruno@example.com') })
    expect(await findLanguage(portal.world.db.read, bruno!.id)).toBe('fr')
  })
})

describe('the PDF of the theft form', () => {
  const pagesIn = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type \/Page\b(?!s)/g)?.length

  test('the same facts at the same time give the same bytes', async () => {
    const form = presentForm(await facts(), 'en')
    expect((await drawForm(form, NOW)).equals(await drawForm(form, NOW))).toBe(true)
  })

  test('the form has a QR code of a public link and a map, both with an alternative text, on one page', async () => {
    const url = 'http://portal.test/pub/trackers?token=1'
    const map = await sharp({ create: { width: 966, height: 380, channels: 3, background: '#fff' } })
      .jpeg()
      .toBuffer()
    const pdf = await drawForm(presentForm({ ...(await facts()), liveUrl: url }, 'en'), NOW, { map })
    const text = pdf.toString('latin1')
    expect(text).toContain(`/Alt (Live position: ${url})`)
    expect(text).toContain('/Alt (The last position and the 24 hours before it)')
    expect(text).toContain('/Subtype /Image')
    expect(text).toContain(`/URI (${url})`)
    expect(pagesIn(pdf)).toBe(1)
  })

  test('a long description continues on further pages, and the lines for the police stay together', async () => {
    const known = await facts()
    const report = { ...known.report!, description: 'It stood by the door and was gone in the morning. '.repeat(150) }
    const [short, long] = [await drawForm(presentForm(known, 'en'), NOW), await drawForm(presentForm({ ...known, report }, 'en'), NOW)]
    expect(pagesIn(short)).toBe(1)
    expect(pagesIn(long)).toBeGreaterThan(1)
    expect(pagesIn(long)).toBeLessThan(6)
  })

  test('the PDF has language, title and headings for screen readers', async () => {
    const pdf = (await drawForm(presentForm(await facts(), 'fr'), NOW)).toString('latin1')
    expect(pdf).toContain('/Lang (fr)')
    expect(pdf).toContain('/Marked true')
    expect(pdf).toContain('/DisplayDocTitle true')
    for (const tag of ['H1', 'H2', 'P']) expect(pdf).toMatch(new RegExp(`/S /${tag}\\b`))
  })

  test('every character has a font: kana, kanji, full width, and letters with diacritics', () => {
    const text = 'Řidič 渋谷区 ハチ公 ＡＢＣ（東京）ő 1-2-3'
    const runs = splitByScript(text)
    expect(runs.map((run) => run.text).join('')).toBe(text)
    expect(runs.filter(({ script }) => script === 'japanese').map((run) => run.text)).toEqual(['渋谷区', 'ハチ公', 'ＡＢＣ（東京）'])
  })
})
