import { expect, test } from 'vitest'
import { JOBS } from '#server/jobs/run-jobs.ts'
import { startPortal } from '#server/test/start-portal.ts'

test('a job reports what is due and runs on request', async () => {
  await using portal = await startPortal({ scenario: 'expiring' })
  const list = async () => (await portal.call(null, 'GET', '/mock/jobs')).body
  expect((await list()).map(({ name }: { name: string }) => name)).toEqual(JOBS.map(({ name }) => name))
  expect(await list()).toContainEqual({ name: 'link_end', due: 0, next: '2026-03-03T09:00:00Z' })

  portal.clock.set({ at: new Date('2026-03-03T09:00:00Z') })
  const run = () => portal.call(null, 'POST', '/mock/jobs/link_end/run')
  expect((await run()).body.fired).toEqual([{ at: '2026-03-03T09:00:00Z', kind: 'link_end', ref: expect.stringMatching(/^links\//) }])
  expect((await run()).body.fired).toEqual([])
  expect((await portal.call(null, 'POST', '/mock/jobs/nothing/run')).status).toBe(404)
})
