import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { startImport } from './test-import.ts'

test('the request in docs/data.md gives a preview with one position and one skipped line', async () => {
  await using page = await startImport()
  const [, path = '', body = ''] = /```\nPOST (\S+)\n.*?\n\n(.*?)```/s.exec(readFileSync('docs/data.md', 'utf8')) ?? []
  expect(path).toBe(`${page.url}?filename=walk.gpx`)
  const answer = await page.upload(body, 'walk.gpx')
  expect(answer).toMatchObject({ status: 201, body: { filename: 'walk.gpx', count: 1, errors: [{ line: 3, reason: 'no_time' }] } })
  expect((await page.commit(answer.body.id)).body).toMatchObject({ state: 'saved', added: 1 })
  expect((await page.undo(answer.body.id)).status).toBe(200)
})
