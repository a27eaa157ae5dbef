import { expect, test } from 'vitest'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { listBlocks } from '#server/test/test-guide.ts'

const ALICE = 'alice@example.com'
const { rex } = SEED.devices
const SECOND = 'not_before=2026-03-02T09:00:30Z&not_after=2026-03-02T09:00:30Z'

const blocks = listBlocks('docs/devices.md')
const requests = blocks.filter(({ language }) => language === 'http').map(({ text }) => text)

/** Splits the text of an HTTP request and inserts the key. */
function parseRequest(text: string, key: string) {
  const [head = '', ...body] = text
    .replaceAll('<phone:key>', btoa(`phone:${key}`))
    .replaceAll('<key>', key)
    .split('\n\n')
  const [start = '', ...lines] = head.split('\n')
  const [method = '', url = ''] = start.split(' ')
  const headers = Object.fromEntries(lines.map((line) => line.split(': ') as [string, string]))
  return { method, url, headers, body: body.length > 0 ? body.join('\n\n') : undefined }
}

test("every code block of docs/devices.md is a request tested here, or the content of OwnTracks' code", () => {
  expect(requests).toHaveLength(9)
  // web/phones/app-setup.test.ts compares it with the portal's page.
  expect(blocks.filter(({ language }) => language !== 'http')).toMatchObject([
    { language: 'json', text: expect.stringContaining('"configuration"') },
  ])
})

test.each(requests)('the documented request is stored: %s', async (text) => {
  await using portal = await startPortal()
  const { key } = (await portal.call(ALICE, 'POST', `/devices/${rex}/keys/`, {})).body
  portal.clock.set({ at: new Date('2026-03-02T09:00:30Z') })
  const { method, url, headers, body } = parseRequest(text, key)
  expect((await portal.call(null, method, url, body, headers)).status).toBe(url === '/devices/ingest/' ? 201 : 200)
  const { results } = (await portal.call(ALICE, 'GET', `/devices/${rex}/tracker_data/?${SECOND}`)).body
  expect(results).toMatchObject([{ lat: -34.9, lng: -56.15, precision: 4 }])
  if (!text.includes('home-assistant')) expect(results[0]).toMatchObject({ course: 63, altitude: 36, speed: expect.closeTo(18.8, 0) })
})
