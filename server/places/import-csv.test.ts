import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { UPLOADS_A_DAY } from '#contracts/limits/upload-limits.ts'
import type { Place } from '#contracts/places.ts'
import { formatPlaceCsv } from '#contracts/rules/geo/place-csv.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const ALICE = 'alice@example.com'
const PLACES = '/tracker_places/'
const PATH = '/tracker_places/import_csv/'
const csv = { 'content-type': 'text/csv' }
const BUSY_MACHINE_TIMEOUT_MS = 60_000

const send = (portal: Portal, text: string | Buffer, who = ALICE) => portal.call(who, 'POST', PATH, text, csv)

async function sendForm(portal: Portal, text: string, field = 'file') {
  const form = new FormData()
  form.set(field, new File([text], 'places.csv', { type: 'text/csv' }))
  const headers = { authorization: `Bearer ${await portal.token(ALICE)}` }
  const response = await portal.fetch(PATH, { method: 'POST', body: form, headers })
  return { status: response.status, body: await response.json() }
}
const named = (list: { name: string; type: string }[]) => list.map(({ name, type }) => `${name} ${type}`)

const GOOD = 'name,address,type\nVet,18 de Julio 1360,other\nBakery,"Ellauri 350, Punta Carretas",store\n'

describe('R-1.15 importing places', () => {
  test('R-3.33 an import creates a place per row at its address with the default radius', async () => {
    await using portal = await startPortal()
    const { status, body } = await send(portal, GOOD)
    expect([status, named(body.created), body.errors]).toEqual([200, ['Vet other', 'Bakery shop'], []])
    const [house] = await portal.world.geocode.search('18 de Julio 1360')
    const vet = { name: 'Vet', address: '18 de Julio 1360', type: 'other', radius: 200, devices: [], lat: house?.lat, lng: house?.lng }
    expect(body.created[0]).toEqual({ id: expect.any(Number), ...vet })
    expect((await portal.call(ALICE, 'GET', PLACES)).body).toEqual(expect.arrayContaining(body.created))
  })

  test('an import accepts the file as a form', async () => {
    await using portal = await startPortal()
    const { status, body } = await sendForm(portal, GOOD)
    expect([status, named(body.created)]).toEqual([200, ['Vet other', 'Bakery shop']])
  })

  test.each([
    ['semicolons, CRLF and a byte order mark', '\ufeffType;ADDRESS;Name\r\nwork;Ellauri 350;Lab\r\n', ['Lab work']],
    ['blank lines', '\n\nname,address,type\n\n  \nLab,Ellauri 350,work\n\n', ['Lab work']],
    ['blank columns at the end', 'name;address;type;;\nLab;Ellauri 350;work;;\n', ['Lab work']],
    ['fewer blank columns in its rows', 'name,address,type,,\nLab,Ellauri 350,work\nPub,Ellauri 350,other,\n', ['Lab work', 'Pub other']],
    ['more blank columns in its rows', 'name,address,type\nLab,Ellauri 350,work,,,\n', ['Lab work']],
    ['blank columns before and between others', ',name,,address,type\n,Lab,,Ellauri 350,work\n', ['Lab work']],
    ['tabs', 'name\taddress\ttype\r\nLab\tEllauri 350, Punta Carretas\twork\r\n', ['Lab work']],
    ['a line that names the separator', 'sep=;\nname;address;type\nLab;Ellauri 350;work\n', ['Lab work']],
    ['a quoted line that names the separator, and a mark', '\ufeff"sep=,"\r\nname,address,type\r\nLab,Ellauri 350,work\r\n', ['Lab work']],
    ['Unicode text of Excel', Buffer.from('\ufeffname\taddress\ttype\r\nCafé\tEllauri 350\twork\r\n', 'utf16le'), ['Café work']],
    ['Windows-1252', Buffer.from('name;address;type\r\nCafé\x80;Ellauri 350;work\r\n', 'latin1'), ['Café€ work']],
    ['quotes and blanks', 'name,address,type\n"Say ""hi""", Ellauri 350 ,  WORK\n', ['Say "hi" work']],
  ])('an import accepts a file with %s', async (_, text, created) => {
    await using portal = await startPortal()
    const { status, body } = await send(portal, text)
    expect([status, named(body.created)]).toEqual([200, created])
  })

  test('R-1.15 an import creates the valid rows and reports the errors of the others', async () => {
    await using portal = await startPortal()
    const rows = [
      'name,address,type',
      'Vet,18 de Julio 1360,other',
      ',Ellauri 350,castle',
      'Nowhere,Qwertz 12345,home',
      '"Two',
      'lines",Ellauri 350,home',
      'Short,Ellauri 350',
      'Open,"Ellauri 350,home',
      `${'x'.repeat(81)},${'y'.repeat(201)},home`,
      'Lab,Ellauri 350,work',
    ]
    const { status, body } = await send(portal, rows.join('\n'))
    expect([status, named(body.created)]).toEqual([200, ['Vet other', 'Two lines home', 'Lab work']])
    expect(body.errors).toEqual([
      { line: 3, errors: { name: ['required'], type: ['unknown_type'] } },
      { line: 4, errors: { address: ['not_found'] } },
      { line: 7, errors: { row: ['cells'] } },
      { line: 8, errors: { row: ['quotes'] } },
      { line: 9, errors: { name: ['too_long'], address: ['too_long'] } },
    ])
  })

  test.each([
    ['name,address,type\nVet,18 de Julio 1360,castle\n', [{ line: 2, errors: { type: ['unknown_type'] } }]],
    ['name,address,type\n', []],
  ])('an import without a valid row creates nothing: %j', async (text, errors) => {
    await using portal = await startPortal()
    const before = (await portal.call(ALICE, 'GET', PLACES)).body
    const { status, body } = await send(portal, text)
    expect([status, body]).toEqual([400, { detail: expect.any(String), code: 'no_good_row', created: [], errors }])
    expect((await portal.call(ALICE, 'GET', PLACES)).body).toEqual(before)
  })
})

describe('places with borders', () => {
  const AREA = [
    [-34.9, -56.1],
    [-34.9, -56.2],
    [-34.8, -56.2],
  ]
  const bodies = [
    { name: 'Den', address: 'Somewhere', type: 'home', radius: 350, lat: -34.9123456, lng: -56.1 },
    { name: '=1+1', address: '@home', type: 'shop', radius: 50, lat: 0, lng: 179.9999999 },
    { name: "'-1", address: 'a, "b"', type: 'other', radius: 50, shape: { type: 'polygon', points: AREA } },
    { name: 'Way', address: 'x', type: 'work', radius: 50, shape: { type: 'corridor', points: AREA, width: 40 } },
  ]
  const strip = (places: Place[]) => places.map(({ id: _, devices: __, ...place }) => place)

  test('what is exported is imported again with the same borders, and exported as the same file', async () => {
    await using portal = await startPortal()
    const list = async (): Promise<Place[]> => (await portal.call(ALICE, 'GET', PLACES)).body
    const removeAll = async () => {
      for (const { id } of await list()) await portal.call(ALICE, 'DELETE', `${PLACES}${id}/`)
    }
    await removeAll()
    for (const body of bodies) expect((await portal.call(ALICE, 'POST', PLACES, body)).status).toBe(201)
    const before = await list()
    const file = formatPlaceCsv(before)
    await removeAll()
    const { status, body } = await send(portal, file)
    expect([status, body.errors]).toEqual([200, []])
    expect(strip(await list())).toEqual(strip(before))
    expect(formatPlaceCsv(await list())).toBe(file)
  })

  test('a bad border is reported with its line, and the other places are created', async () => {
    await using portal = await startPortal()
    const rows = ['name,address,type,border,meters', 'A,x,home,POINT (-56 -34),60', 'B,x,home,CIRCLE (1 2),', 'C,Ellauri 350,home,,5']
    const { body } = await send(portal, rows.join('\n'))
    expect(strip(body.created)).toEqual([{ name: 'A', address: 'x', type: 'home', lat: -34, lng: -56, radius: 60 }])
    expect(body.errors).toEqual([
      { line: 3, errors: { border: ['bad_border'] } },
      { line: 4, errors: { meters: ['bad_meters'] } },
    ])
  })
})

describe('refused imports', () => {
  test('R-3.33 an import with the wrong header is refused with the missing and unexpected columns', async () => {
    await using portal = await startPortal()
    const rows = [
      ['name,address\nVet,Ellauri 350\n', ['type'], []],
      ['nom,adresse,type\nVet,Ellauri 350,other\n', ['name', 'address'], ['nom', 'adresse']],
      ['Vet,Ellauri 350,other\n', ['name', 'address', 'type'], ['vet', 'ellauri 350', 'other']],
      ['name,address,type,radius\n', [], ['radius']],
      ['"name,address,type\n', ['name', 'address', 'type'], []],
      ['', ['name', 'address', 'type'], []],
      [`${'x'.repeat(100)}\n`, ['name', 'address', 'type'], ['x'.repeat(60)]],
    ] as const
    expect(
      await collectFailures(
        rows,
        ([text]) => text,
        async ([text, missing, unexpected]) => {
          expect(await send(portal, text)).toMatchObject({ status: 400, body: { code: 'csv_header', missing, unexpected } })
        },
      ),
    ).toEqual([])
  })

  test(
    'an import of more than 1,000 rows is refused, valid or not',
    async () => {
      await using portal = await startPortal()
      const rows = (count: number) => `name,address,type\n${'Vet,18 de Julio 1360,other\n'.repeat(count - 1)}\nVet,,other`
      const { status, body } = await send(portal, rows(1000))
      expect([status, body.created.length, body.errors]).toEqual([200, 999, [{ line: 1002, errors: { address: ['required'] } }]])
      expect(await send(portal, rows(1001))).toMatchObject({ status: 400, body: { code: 'too_many_rows' } })
      expect((await portal.call(ALICE, 'GET', PLACES)).body).toHaveLength(6 + 999)
    },
    BUSY_MACHINE_TIMEOUT_MS,
  )

  test(
    'an import of more than 1 MiB is refused, raw or as a form',
    async () => {
      await using portal = await startPortal()
      const filled = (bytes: number) => GOOD + '\n'.repeat(bytes - GOOD.length)
      expect((await send(portal, filled(1_048_576))).status).toBe(200)
      expect(await send(portal, filled(1_048_577))).toMatchObject({ status: 413, body: { code: 'too_large' } })
      expect(await sendForm(portal, filled(1_048_577))).toMatchObject({ status: 413, body: { code: 'too_large' } })
    },
    BUSY_MACHINE_TIMEOUT_MS,
  )

  test('an import that is not text is refused', async () => {
    await using portal = await startPortal()
    const { status, body } = await send(portal, Buffer.from('504b0304140006000800', 'hex'))
    expect([status, body.code, body.errors]).toEqual([400, 'validation_error', { file: ['Not text'] }])
  })

  test('a value in a column without a name is a fault of its row', async () => {
    await using portal = await startPortal()
    const { body } = await send(portal, 'name,address,type,\nLab,Ellauri 350,work,x\nPub,Ellauri 350,other,\n')
    expect([named(body.created), body.errors]).toEqual([['Pub other'], [{ line: 2, errors: { row: ['cells'] } }]])
  })

  test('a form without the file field and a body of another type are refused', async () => {
    await using portal = await startPortal()
    expect(await sendForm(portal, GOOD, 'upload')).toMatchObject({
      status: 400,
      body: { code: 'validation_error', errors: { file: [expect.any(String)] } },
    })
    expect(await portal.call(ALICE, 'POST', PATH, { name: 'Vet' })).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } })
  })

  test(
    'any bytes are imported or refused with an error code',
    async () => {
      await using portal = await startPortal()
      const anything = fc.oneof(
        fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
        fc.stringMatching(/^(name,address,type\n)?[a-z0-9",;\n\r ]{0,80}$/).map((text) => Buffer.from(text)),
      )
      const refused = fc.asyncProperty(anything, async (bytes) => {
        const { status, body } = await send(portal, bytes)
        expect([200, 400]).toContain(status)
        if (status === 400) expect(body.code).toMatch(/^(validation_error|csv_header|no_good_row)$/)
      })
      await fc.assert(refused, { numRuns: UPLOADS_A_DAY.places.files })
    },
    BUSY_MACHINE_TIMEOUT_MS,
  )
})

test('R-1.15 places are imported by the roles that may create them', async () => {
  await using portal = await startPortal()
  expect((await send(portal, GOOD, 'member@pro.example.com')).status).toBe(200)
  expect(named((await portal.call('admin@pro.example.com', 'GET', PLACES)).body)).toContain('Vet other')
  expect((await send(portal, GOOD, 'support@example.com')).status).toBe(403)
  expect((await portal.call(null, 'POST', PATH, GOOD, csv)).status).toBe(401)
})
