import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { levelOf } from './password-strength.tsx'

test('the level of a password depends on what an attacker would guess first', async () => {
  expect(
    await collectFailures<[string, string]>(
      [
        ['', 'weak'],
        ['aaaaaaaaaaaaaaaaaaaa', 'weak'],
        ['1234567890', 'weak'],
        ['abcdefghijklmnop', 'weak'],
        ['password2026', 'weak'],
        ['Password123!', 'weak'],
        ['sunshine', 'weak'],
        ['Summer2026!', 'weak'],
        ['x7Kp!q9Z', 'fair'],
        ['garden-lamp-42', 'good'],
        ['x7Kp!q9ZrW2m', 'good'],
        ['x7Kp!q9ZrW2m#5', 'strong'],
        ['correct horse battery staple', 'strong'],
        ['とても長いパスワードです', 'good'],
      ],
      ([password]) => password,
      ([password, level]) => expect(levelOf(password)).toBe(level),
    ),
  ).toEqual([])
})

test('a longer password is never weaker', () => {
  const all = 'garden-lamp-42-Zug!'
  const order = Array.from(all, (_, index) => ['weak', 'fair', 'good', 'strong'].indexOf(levelOf(all.slice(0, index + 1))))
  expect(order).toEqual(order.toSorted((a, b) => a - b))
})
