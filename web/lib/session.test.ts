import { beforeEach, expect, test, vi } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { onSessionEnd, session, takeUrlToken } from './session.ts'
import { storage } from './storage.ts'

beforeEach(() => storage.remove('token'))

const take = (address: string) => takeUrlToken(new URL(address, 'https://portal.test')).url.href.replace('https://portal.test', '')

test('R-2.55 a token in the address starts the session and leaves the address', () => {
  expect(take('/?token=abc&tab=2#here')).toBe('/?tab=2#here')
  expect(storage.get('token')).toBe('abc')
})

test('R-2.55 a token in the address during another open session is offered and changes nothing yet', () => {
  storage.set('token', 'mine')
  const { url, offered } = takeUrlToken(new URL('https://portal.test/trackers?token=other'))
  expect([url.search, offered, storage.get('token')]).toEqual(['', 'other', 'mine'])
  expect(takeUrlToken(new URL('https://portal.test/?token=mine')).offered).toBeNull()
})

test('a code in the address leaves it, and is offered even without an open session', () => {
  const { url, offered } = takeUrlToken(new URL('https://portal.test/trackers?view=list&hand_off=hand_1&token=other'))
  expect([url.search, offered, storage.get('token')]).toEqual(['?view=list', 'hand_1', null])
})

test('R-2.55 an empty token is ignored', () => {
  storage.set('token', 'mine')
  expect(take('/trackers?token=')).toBe('/trackers')
  expect(storage.get('token')).toBe('mine')
})

test('on the public page the token in the address is a link’s, not a session’s', async () => {
  expect(
    await collectFailures(['/pub/trackers', '/pub/trackers/', '/PUB/trackers'], String, (path) => {
      storage.set('token', 'mine')
      expect(take(`${path}?token=uuid`)).toBe(`${path}?token=uuid`)
      expect(storage.get('token')).toBe('mine')
    }),
  ).toEqual([])
})

test('R-4.29 R-3.90 ending the session removes the token, keeps other values and runs the clean-up callbacks', () => {
  let told = 0
  onSessionEnd(() => told++)
  session.open('abc')
  storage.set('hostOs', 'ios')
  session.end()
  expect([session.isOpen(), storage.get('hostOs'), told]).toEqual([false, 'ios', 2])
})

test('ending or starting a session removes the saved trackers, even if no screen of theirs is loaded', async () => {
  const end: Record<string, () => void> = { end: session.end, open: () => session.open('abc'), follow: session.follow }
  expect(
    await collectFailures(Object.keys(end), String, (way) => {
      storage.set('lastTrackers', '[{"name":"Rex"}]')
      end[way]!()
      expect(storage.get('lastTrackers')).toBeNull()
    }),
  ).toEqual([])
})

test('starting a session removes the old token first, so that other tabs do not mistake it for a renewal', () => {
  const put: (string | null)[] = []
  const remove = vi.spyOn(storage, 'remove').mockImplementation((key) => key === 'token' && put.push(null))
  const set = vi.spyOn(storage, 'set').mockImplementation((key, value) => key === 'token' && put.push(value))
  session.open('of alice')
  session.renew('of-alice-again')
  remove.mockRestore()
  set.mockRestore()
  expect(put).toEqual([null, 'of alice', 'of-alice-again'])
})
