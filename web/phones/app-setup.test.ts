import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { listBlocks } from '#server/test/test-guide.ts'
import { sampleDevice } from '#web/trackers/sample-device.ts'
import { buildAppSetup, buildHomeAssistantRecipe, buildUrlTemplates, listApps } from './app-setup.ts'

const KEY = 'a1'.repeat(20)
const made = {
  id: 1,
  label: '',
  created_at: null,
  last_used_at: null,
  key: KEY,
  urls: {
    osmand: 'https://portal.example/ingest/osmand',
    owntracks: 'https://portal.example/ingest/owntracks',
    overland: 'https://portal.example/ingest/overland',
    ingest: 'https://portal.example/devices/ingest/',
  },
}
const device = { ...sampleDevice(), identifier: '1000000001', serial: 'ALICE0000001' }
const here = { base: '', origin: 'https://here.example' }

test('Traccar Client scans the reporting URL with the key as its identifier, or opens a link that names both', () => {
  expect(buildAppSetup('traccar', made, device, here)).toEqual({
    code: `https://here.example/ingest/osmand?id=${KEY}&accuracy=high`,
    link: `org.traccar.client://?url=https%3A%2F%2Fhere.example%2Fingest%2Fosmand&id=${KEY}&accuracy=high`,
    fields: [
      ['url', 'https://here.example/ingest/osmand'],
      ['identifier', KEY],
    ],
  })
})

const NUMBERS: [{ identifier: string | null; serial?: string | null }, string][] = [
  [{ identifier: '1000000001' }, '1000000001'],
  [{ identifier: null }, 'ALICE0000001'],
  [{ identifier: null, serial: null }, 'phone'],
]

test('OwnTracks scans a configuration whose user name is the ID or else the S/N of the tracker', async () => {
  const url = 'https://here.example/ingest/owntracks'
  const failures = await collectFailures(
    NUMBERS,
    ([, username]) => username,
    ([numbers, username]) => {
      const { code, fields } = buildAppSetup('ownTracks', made, { ...device, ...numbers }, here)
      expect(fields).toEqual([
        ['url', url],
        ['username', username],
        ['password', KEY],
      ])
      const inline = new URL(code).searchParams.get('inline') ?? ''
      expect(code).toMatch(/^owntracks:\/\/\/config\?inline=[\w%]+$/)
      expect(JSON.parse(atob(inline))).toEqual({ _type: 'configuration', mode: 3, url, auth: true, username, password: KEY })
    },
  )
  expect(failures).toEqual([])
})

test('a phone reports to the API base URL of the portal', () => {
  const urls = ['https://api.example', 'https://api.example/v2/'].map(
    (base) => buildAppSetup('traccar', made, device, { ...here, base }).fields[0],
  )
  expect(urls).toEqual([
    ['url', 'https://api.example/ingest/osmand'],
    ['url', 'https://api.example/v2/ingest/osmand'],
  ])
})

test('Overland scans its setup URL with address, token and the name of the phone', () => {
  const { code, link, fields } = buildAppSetup('overland', { ...made, label: 'Anna’s phone' }, device, here)
  expect(code).toBe(`overland://setup?url=https%3A%2F%2Fhere.example%2Fingest%2Foverland&token=${KEY}&device_id=Anna%E2%80%99s%20phone`)
  expect(link).toBe(code)
  expect(fields).toEqual([
    ['url', 'https://here.example/ingest/overland'],
    ['token', KEY],
    ['deviceId', 'Anna’s phone'],
  ])
})

test('a backend without an address for Overland offers the other two apps', () => {
  const { overland: _, ...urls } = made.urls
  expect(listApps({ ...made, urls })).toEqual(['traccar', 'ownTracks'])
  expect(listApps(made)).toContain('overland')
})

test('each URL template has the key and the placeholders of its app', () => {
  const templates = Object.fromEntries(buildUrlTemplates(made, { ...here, base: 'https://api.example' }))
  for (const url of Object.values(templates)) expect(url).toContain(`https://api.example/ingest/osmand?id=${KEY}&lat=`)
  expect(templates.OsmAnd).toContain('lat={0}&lon={1}&timestamp={2}&acc={3}')
  expect(templates.GPSLogger).toContain('lat=%LAT&lon=%LON&timestamp=%TIMESTAMP&acc=%ACC')
})

test('the Home Assistant configuration posts to the reporting URL with the key as a bearer token', () => {
  const recipe = buildHomeAssistantRecipe(made, here)
  expect(recipe).toContain('url: "https://here.example/ingest/osmand"')
  expect(recipe).toContain(`authorization: "Bearer ${KEY}"`)
})

test('docs/devices.md shows the same codes, links and templates as the portal', () => {
  const text = readFileSync('docs/devices.md', 'utf8').replaceAll('<key>', KEY)
  const shown = (url: string) => expect(text).toContain(`\`${url.replace('https://here.example', 'https://host')}\``)
  const traccar = buildAppSetup('traccar', made, device, here)
  shown(traccar.code)
  shown(traccar.link.replace(/url=[^&]+/, 'url=<URL>'))
  shown(
    buildAppSetup('overland', { ...made, label: '<name>' }, device, here)
      .code.replace(/url=[^&]+/, 'url=<URL>')
      .replace('%3Cname%3E', '<name>'),
  )
  shown(Object.fromEntries(buildUrlTemplates(made, here)).OsmAnd!.replace('https://here.example', ''))
  const inline = new URL(buildAppSetup('ownTracks', made, device, here).code).searchParams.get('inline')!
  const configuration = listBlocks('docs/devices.md').find(({ language }) => language === 'json')!.text
  expect(JSON.parse(configuration.replace('<the key>', KEY).replace('https://host', 'https://here.example'))).toEqual(
    JSON.parse(atob(inline)),
  )
})
