import { expect, test } from 'vitest'
import { ALICE, checkBackend, formatFindings, startListeningPortal } from '#scripts/contracts/test-io.ts'

/** A `fetch` that passes the JSON bodies of a path through `change`, with the number of the response. */
const withBodies =
  (path: string, change: (body: unknown, count: number) => unknown): typeof fetch =>
  async (input, init) => {
    const response = await fetch(input, init)
    if (!new URL(String(input)).pathname.startsWith(path) || !response.headers.get('content-type')?.includes('json')) return response
    const { status, headers } = response
    return Response.json(change(await response.json(), answers++), { status, headers: { date: headers.get('date') ?? '' } })
  }
let answers = 0

const addTo = (body: unknown, fields: object): unknown =>
  Array.isArray(body) ? body.map((each) => addTo(each, fields)) : { ...(body as object), ...fields }

test('a field unknown to the contract may change with an update', async () => {
  await using portal = await startListeningPortal()
  const stamped = withBodies('/tracker_tags/', (body, count) => addTo(body, { updated_at: `2026-03-02T09:00:${10 + count}Z` }))
  const { code, report } = await checkBackend(['--base', portal.base, ...ALICE, '--write', '--only', 'tags.*'], { fetch: stamped })
  const found = formatFindings(report)
  expect(code).toBe(0)
  expect(found).toContain('drift+ write tags.update: updated_at not in the contract')
  expect(found.filter((line) => !line.startsWith('drift+'))).toEqual([])
})

test('a field of the contract that changes although it was not in the update fails', async () => {
  await using portal = await startListeningPortal()
  const renamed = withBodies('/tracker_tags/', (body) => (Array.isArray(body) ? body : addTo(body, { name: 'another' })))
  const { code, report } = await checkBackend(['--base', portal.base, ...ALICE, '--write', '--only', 'tags.*'], { fetch: renamed })
  expect(code).toBe(1)
  expect(formatFindings(report).filter((line) => !line.startsWith('drift+'))).toEqual([
    'fail write tags.update: name changed although it was not in the update',
  ])
})
