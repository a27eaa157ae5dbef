import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { openEnum } from '#contracts/lib/common.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { findUnlistedValues } from './findings.ts'

const Thing = z.object({
  kind: z.enum(['dog', 'cat']),
  role: z.optional(z.nullable(openEnum(['user', 'pro']))),
  minutes: z.literal([60, 720]),
  card: z._default(z.literal('card'), 'card'),
})
const good = { kind: 'dog', role: 'user', minutes: 60, card: 'card' }

const VALUES: [name: string, value: unknown, findings: string[]][] = [
  ['listed values', [good, { ...good, role: null }], []],
  [
    'a value of a closed list, once',
    [
      { ...good, kind: 'cow' },
      { ...good, kind: 'cow' },
    ],
    ['closed *.kind "cow" is not one of dog, cat'],
  ],
  ['a value of an open list', [{ ...good, role: 'boss' }], ['open *.role "boss" is not one of user, pro']],
  ['a number', [{ ...good, minutes: 30 }], ['closed *.minutes 30 is not one of 60, 720']],
  ['another literal', [{ ...good, card: 'sepa' }], ['closed *.card "sepa" is not one of card']],
  ['a value of another type', [{ ...good, kind: 1, minutes: '60' }], []],
  ['an object instead of a list', { results: [] }, []],
]

test('a value outside of an open or closed list is found once', async () => {
  expect(
    await collectFailures(
      VALUES,
      ([name]) => name,
      ([, value, lines]) => {
        const found = findUnlistedValues(z.array(Thing), value)
        expect(found.map(({ path, message, isOpen }) => `${isOpen ? 'open' : 'closed'} ${path} ${message}`)).toEqual(lines)
      },
    ),
  ).toEqual([])
})
