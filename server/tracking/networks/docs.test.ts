import { expect, test } from 'vitest'
import { NETWORKS } from '#contracts/rules/reading/network-number.ts'
import { queryValue } from '#server/test/test-database.ts'
import { listBlocks } from '#server/test/test-guide.ts'
import { ALICE, PLACE, post, startNetworks, statusOf } from './test-networks.ts'

const TXACK = 'chirpstack?event=txack'
const blocks = listBlocks('docs/networks.md')
const requests = blocks.map(({ text }) => {
  const [, method = '', path = '', body = ''] = /^(\w+) (\S+)\n(.+)$/.exec(text) ?? []
  return { method, path, body }
})
const ofNetworks = requests.flatMap(({ path, body }) =>
  path.startsWith('/ingest/') ? [[path.slice('/ingest/'.length), body] as const] : [],
)
const uplinks = ofNetworks.filter(([path]) => path !== TXACK)
const ofOwner = requests.filter(({ path }) => path.startsWith('/devices/'))

test('every code block of docs/networks.md is a request tested here, and each network has one', () => {
  expect(blocks.map(({ language }) => language)).toEqual(Array(requests.length).fill('http'))
  expect(uplinks.length + ofOwner.length + 1).toBe(blocks.length)
  expect([...new Set(uplinks.map(([path]) => path.split('?')[0]))].sort()).toEqual([...NETWORKS].sort())
})

test.each(uplinks)('the documented request to %s moves the tracker: %s', async (path, body) => {
  await using portal = await startNetworks()
  expect([200, 204]).toContain((await post(portal, path, body)).status)
  expect((await statusOf(portal)).last_position).toMatchObject({ ...PLACE, datetime: '2026-03-02T09:00:30Z' })
})

test('the documented requests of the owner are accepted, and the documented event of ChirpStack applies a mode', async () => {
  await using portal = await startNetworks()
  const play = ({ method, path, body }: (typeof requests)[number]) => portal.call(ALICE, method as 'PUT', path, JSON.parse(body))
  expect(ofOwner.map(({ path }) => path.split('/').at(-2))).toEqual(['network_numbers', 'network_keys', 'uplink_mapping', 'network_server'])
  for (const request of ofOwner) expect((await play(request)).status, request.path).toBeLessThan(300)
  await portal.call(ALICE, 'PATCH', '/devices/1/tracker_config/', { mode: 22 })
  const bodyOf = (path: string) => ofNetworks.find(([sent]) => sent === path)?.[1]
  await post(portal, 'chirpstack?event=up', bodyOf('chirpstack?event=up'))
  await portal.call(null, 'POST', '/mock/downlinks/wait', { count: 1 })
  await expect.poll(() => queryValue(portal.world.db, 'select message_id from downlinks')).toBe('queue-item-1')
  expect((await post(portal, TXACK, bodyOf(TXACK))).status).toBe(200)
  expect((await portal.call(ALICE, 'GET', '/devices/1/tracker_config/')).body).toMatchObject({ mode: 22, pending_mode: null })
})
