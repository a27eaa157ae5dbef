import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { IMPORTS } from '#contracts/limits/upload-limits.ts'
import { ALICE, startImport } from '#server/tracking/import/test-import.ts'

/** Turns of the event loop between two requests. */
const TURNS = 5

test('a million positions in one second count as one position, and reading them blocks no other request', {
  timeout: 300_000,
}, async () => {
  await using page = await startImport()
  const row = '2026-02-01T12:00:00Z,48.1371,11.5754\n'
  const file = Buffer.from(`time,lat,lon\n${row.repeat(IMPORTS.positions)}`)
  let [isRead, answered] = [false, 0]
  const headers = { authorization: `Bearer ${await page.portal.token(ALICE)}` }
  const reading = page.upload(file).finally(() => {
    isRead = true
  })
  while (!isRead) {
    if ((await page.portal.fetch('/options/', { headers })).status === 200) answered++
    for (let turn = 0; turn < TURNS; turn++) await setImmediate()
  }
  const { status, body } = await reading
  expect([status, body.count, body.repeated]).toEqual([201, 1, IMPORTS.positions - 1])
  expect(answered).toBeGreaterThan(100)
  const { status: tooMany, body: refusal } = await page.upload(Buffer.concat([file, Buffer.from(row)]))
  expect([tooMany, refusal.errors]).toEqual([400, { file: ['too_many'] }])
})
