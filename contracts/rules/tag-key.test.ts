import { expect, test } from 'vitest'
import { tagKey } from './tag-key.ts'

test.each([
  ['Pets', 'PETS'],
  ['Été', 'éTÉ'],
  ['ÅNGSTRÖM', 'ångström'],
  ['СОБАКИ', 'собаки'],
  ['cafe\u0301', 'café'],
])('R-3.40 %s and %s are one tag', (one, other) => expect(tagKey(one)).toBe(tagKey(other)))

test.each([
  ['Pets', 'Pet'],
  ['Élan', 'Elan'],
  ['犬', '猫'],
])('R-3.40 %s and %s are two', (one, other) => expect(tagKey(one)).not.toBe(tagKey(other)))
