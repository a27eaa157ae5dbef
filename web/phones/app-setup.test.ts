import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { sampleDevice } from '#web/trackers/sample-device.ts'
import { buildAppSetup } from './app-setup.ts'

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
    ingest: 'https://portal.example/devices/ingest/',
  },
}
const device = { ...sampleDevice(), identifier: '1000000001', serial: 'ALICE0000001' }
const here = { base: '', origin: 'https://here.example' }

test('Traccar Client scans the reporting URL with the key as its identifier', () => {
  expect(buildAppSetup('traccar', made, device, here)).toEqual({
    code: `https://here.example/ingest/osmand?id=${KEY}&accuracy=high`,
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
