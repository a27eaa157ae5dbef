import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { NETWORKS } from '#contracts/rules/network-number.ts'
import { PLACE, post, startNetworks, statusOf } from './test-networks.ts'

const requests = [...readFileSync('docs/networks.md', 'utf8').matchAll(/```http\nPOST \/ingest\/(\S+)\n(.+)\n```/g)].map(
  ([, path = '', body = '']) => [path, body] as const,
)

test('docs/networks.md has a request of every network', () =>
  expect(requests.map(([path]) => path.split('?')[0]).sort()).toEqual([...NETWORKS].sort()))

test.each(requests)('the documented request to %s moves the tracker', async (path, body) => {
  await using portal = await startNetworks()
  expect([200, 204]).toContain((await post(portal, path, body)).status)
  expect((await statusOf(portal)).last_position).toMatchObject({ ...PLACE, datetime: '2026-03-02T09:00:30Z' })
})
