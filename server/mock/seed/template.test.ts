import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { openTestCity } from '#server/mock/city/testing.ts'
import { buildTemplate } from './template.ts'

const ANCHOR = new Date('2026-03-02T09:00:00Z')
const city = await openTestCity()
const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

test('the same anchor and seed give the same bytes, another seed gives others', async () => {
  const [first, second, other] = [
    await buildTemplate({ anchor: ANCHOR, seed: 1, city }),
    await buildTemplate({ anchor: ANCHOR, seed: 1, city }),
    await buildTemplate({ anchor: ANCHOR, seed: 2, city }),
  ]
  expect(digest(second)).toBe(digest(first))
  expect(digest(other)).not.toBe(digest(first))
})

test('a template is at most 2 MB, so a world is cloned in milliseconds', async () => {
  const started = performance.now()
  const bytes = await buildTemplate({ anchor: ANCHOR, seed: 1, city })
  process.stdout.write(`template: ${bytes.length} bytes in ${Math.round(performance.now() - started)} ms\n`)
  expect(bytes.length).toBeLessThanOrEqual(2 * 1024 * 1024)
})
