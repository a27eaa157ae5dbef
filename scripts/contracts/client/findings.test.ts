import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { open } from '#contracts/lib/common.ts'
import { strangeValues } from './findings.ts'

const Thing = z.object({
  kind: z.enum(['dog', 'cat']),
  role: z.optional(z.nullable(open(['user', 'pro']))),
  minutes: z.literal([60, 720]),
  card: z._default(z.literal('card'), 'card'),
})
const good = { kind: 'dog', role: 'user', minutes: 60, card: 'card' }

test.each([
  ['nothing', [good, { ...good, role: null }], []],
  [
    'a value of a closed list, once',
    [
      { ...good, kind: 'cow' },
      { ...good, kind: 'cow' },
    ],
    ['closed *.kind "cow" is none of dog, cat'],
  ],
  ['a value of an open list', [{ ...good, role: 'boss' }], ['open *.role "boss" is none of user, pro']],
  ['a number', [{ ...good, minutes: 30 }], ['closed *.minutes 30 is none of 60, 720']],
  ['another word than the one there is', [{ ...good, card: 'sepa' }], ['closed *.card "sepa" is none of card']],
  ['another type is no value', [{ ...good, kind: 1, minutes: '60' }], []],
  ['what is no list', { results: [] }, []],
])('values that a list does not have: %s', (_, value, lines) => {
  const found = strangeValues(z.array(Thing), value)
  expect(found.map(({ path, message, isOpen }) => `${isOpen ? 'open' : 'closed'} ${path} ${message}`)).toEqual(lines)
})
