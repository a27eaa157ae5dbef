import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { HistoryPage } from '#contracts/positions.ts'
import { compileSchema } from './serve.ts'

const Leaky = z.object({ name: z.string(), when: z.nullable(z.iso.datetime()), kind: z.union([z.enum(['a', 'b']), z.string()]) })

test('a compiled schema strips unknown keys', () => {
  const row = { name: 'Rex', when: null, kind: 'a', passwordHash: 'secret' }
  expect(z.parse(compileSchema(Leaky), row)).toEqual({ name: 'Rex', when: null, kind: 'a' })
})

test('a compiled schema reports the same issues as the schema itself', () => {
  for (const wrong of [{ name: 1, when: null, kind: 'a' }, { name: 'Rex', when: 'soon', kind: 'a' }, null, []]) {
    const [ours, theirs] = [z.safeParse(compileSchema(Leaky), wrong), z.safeParse(Leaky, wrong)]
    expect(ours.success).toBe(false)
    expect(ours.error?.issues).toEqual(theirs.error?.issues)
  }
})

test('a schema is compiled once', () => {
  expect(compileSchema(HistoryPage)).toBe(compileSchema(HistoryPage))
})
