import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openTestCity } from '#server/mock/city/testing.ts'
import { createTemplates, readTemplate } from '#server/mock/worlds/templates.ts'
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

test('a world begins as a copy of at most 1.5 MB, which takes milliseconds', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'whereabouts-template-'))
  try {
    const template = await createTemplates(city, folder)({ anchor: ANCHOR, seed: 1, scenario: 'family' })
    expect(readTemplate(template).length).toBeLessThanOrEqual(1.5 * 1024 * 1024)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
