import { expect, test } from 'vitest'
import { isSafePath } from '#contracts/rules/navigation.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'

/** Targets that some browser or program might read as another site. */
const HOSTILE = [
  '//evil.example',
  '///evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/x/..//evil.example',
  '/%2e//evil.example',
  '/%2e%2e//evil.example',
  '/x/%2E%2e//evil.example',
  '/./\\evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '\t//evil.example',
  '/\n/evil.example',
  '/\r\n/evil.example',
  '/x\r\nlocation: //evil.example',
  '/\u0000/evil.example',
  'https:evil.example',
  'https://evil.example',
  'http:/evil.example',
  'javascript:alert(1)',
  ' //evil.example',
  '@evil.example',
  '.evil.example',
  '/\ud800',
]
const ORIGIN = 'http://portal.test'
const staysHere = (location: unknown) =>
  typeof location === 'string' && !/^(\/[/\\]|\\)/.test(location) && new URL(location, ORIGIN).origin === ORIGIN

test('no hostile target is a safe path', () => {
  expect(HOSTILE.filter((target) => isSafePath(target))).toEqual([])
})

test('the entry link of a world leads to no other site', async () => {
  await using portal = await startPortal()
  await portal.call(null, 'POST', '/mock/worlds', { id: 'mine' })
  expect(
    await collectFailures(
      HOSTILE.filter((target) => !/\p{Surrogate}/u.test(target)),
      (target) => JSON.stringify(target),
      async (target) => {
        for (const to of [encodeURIComponent(target), encodeURIComponent(encodeURIComponent(target))]) {
          const { status, headers } = await portal.call(null, 'GET', `/mock/enter/mine?to=${to}`)
          expect([status, staysHere(headers.location)], String(headers.location)).toEqual([302, true])
        }
      },
    ),
  ).toEqual([])
})

test('the portal of the card provider leads back to no other site', async () => {
  await using portal = await startPortal()
  expect(
    await collectFailures(
      HOSTILE,
      (target) => JSON.stringify(target),
      async (target) => {
        const { status } = await portal.call('alice@example.com', 'POST', '/users/portal/', { return_path: target })
        expect(status).toBe(400)
      },
    ),
  ).toEqual([])
})
