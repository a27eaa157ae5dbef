import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '#e2e/portal.ts'
import { createRecording } from '#e2e/record-requests.ts'

test('the record of a test has the requests of its pages, of other windows, of Playwright and of its own code', async ({
  page,
  request,
  browser,
  context,
  server,
}, info) => {
  const folder = info.outputPath('calls')
  const [record] = createRecording(folder).recorded
  const work = async () => {
    await page.goto('/healthz')
    await page.request.get('/config.json?from=page')
    await request.post('/api-auth/login/', { data: {} })
    await fetch(new URL('/mock/clock/', server))
    await fetch(new Request(new URL('/mock/worlds', server), { method: 'DELETE' }))
    const other = await browser.newContext()
    await (await other.newPage()).goto(`${server}/readyz`)
    await other.close()
  }
  await record({ context, request, browser }, work, info)
  const { spec, requests } = JSON.parse(readFileSync(path.join(folder, `browser-${info.testId}.json`), 'utf8'))
  expect(spec).toBe('e2e/mock/record-requests.spec.ts')
  expect(requests.filter((each: string) => !each.includes('favicon'))).toEqual([
    'GET /healthz',
    'GET /config.json',
    'POST /api-auth/login/',
    'GET /mock/clock/',
    'DELETE /mock/worlds',
    'GET /readyz',
  ])
})
