import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { tagKey } from './tag-key.ts'

test('R-3.40 tag names that differ only in case or accent encoding are the same', async () => {
  expect(
    await collectFailures(
      [
        ['Pets', 'PETS'],
        ['Été', 'éTÉ'],
        ['ÅNGSTRÖM', 'ångström'],
        ['СОБАКИ', 'собаки'],
        ['cafe\u0301', 'café'],
      ] as const,
      String,
      ([one, other]) => expect(tagKey(one)).toBe(tagKey(other)),
    ),
  ).toEqual([])
})

test('R-3.40 tag names that differ in letters or accents are different', async () => {
  expect(
    await collectFailures(
      [
        ['Pets', 'Pet'],
        ['Élan', 'Elan'],
        ['犬', '猫'],
      ] as const,
      String,
      ([one, other]) => expect(tagKey(one)).not.toBe(tagKey(other)),
    ),
  ).toEqual([])
})
