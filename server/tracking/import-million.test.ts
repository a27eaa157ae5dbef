import { setInterval } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { IMPORTS } from '#contracts/limits/upload-limits.ts'
import { limits } from '#scripts/test-setup/limits.ts'
import { ALICE, startImport } from '#server/tracking/import/test-import.ts'

/** Between two requests. Requests without a pause would take as much of the processor as the reading. */
const PAUSE_MS = 20

test('a million positions in one second count as one position, and reading them blocks no other request', {
  timeout: 3 * limits.test,
}, async () => {
  await using page = await startImport()
  const row = '2026-02-01T12:00:00Z,48.1371,11.5754\n'
  const file = Buffer.from(`time,lat,lon\n${row.repeat(IMPORTS.positions)}`)
  let [isRead, answered] = [false, 0]
  const headers = { authorization: `Bearer ${await page.portal.token(ALICE)}` }
  const reading = page.upload(file).finally(() => {
    isRead = true
  })
  for await (const _ of setInterval(PAUSE_MS)) {
    if ((await page.portal.fetch('/options/', { headers })).status === 200) answered++
    if (isRead) break
  }
  const { status, body } = await reading
  expect([status, body.count, body.repeated]).toEqual([201, 1, IMPORTS.positions - 1])
  expect(answered).toBeGreaterThan(100)
  const { status: tooMany, body: refusal } = await page.upload(Buffer.concat([file, Buffer.from(row)]))
  expect([tooMany, refusal.errors]).toEqual([400, { file: ['too_many'] }])
})
