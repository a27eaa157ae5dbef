import { beforeEach, describe, expect, test, vi } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { applyHostAppParameters, hostApp } from '#web/lib/navigation/host-app.ts'
import { createStorage, type StorageKey, storage } from './storage.ts'

const full = {
  length: 0,
  clear() {},
  key: () => null,
  getItem: () => null,
  removeItem() {},
  setItem() {
    throw new DOMException('full', 'QuotaExceededError')
  },
} satisfies Storage

test.each([
  [
    'refused',
    () => {
      throw new DOMException('denied', 'SecurityError')
    },
  ],
  ['full', () => full],
])('storage that is %s falls back to memory', (_, local) => {
  const storage = createStorage(local)
  storage.set('token', 'abc')
  expect(storage.get('token')).toBe('abc')
  storage.remove('token')
  expect(storage.get('token')).toBeNull()
})

test('R-3.90 the token is read from storage each time, because another tab may have changed it', () => {
  const values = new Map<string, string>()
  const local = {
    ...full,
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
  }
  const storage = createStorage(() => local)
  storage.set('token', 'mine')
  values.set('token', 'theirs')
  expect(storage.get('token')).toBe('theirs')
})

const values = new Map<string, string>()
const local = {
  get length() {
    return values.size
  },
  clear: () => values.clear(),
  key: () => null,
  getItem: (key: string) => values.get(key) ?? null,
  setItem: (key: string, value: string) => void values.set(key, value),
  removeItem: (key: string) => void values.delete(key),
} satisfies Storage
beforeEach(() => {
  values.clear()
  vi.stubGlobal('localStorage', local)
})

describe('storage keys known to the host app', () => {
  test('R-3.90 … R-3.100 each storage key is stored without a prefix and read back', async () => {
    expect(
      await collectFailures<[string, StorageKey]>(
        [
          ['R-3.90', 'token'],
          ['R-3.91', 'boardName'],
          ['R-3.92', 'verifyNative'],
          ['R-3.93', 'lastVisitedRoute'],
          ['R-3.94', 'hostAppVersion'],
          ['R-3.95', 'platform'],
          ['R-3.96', 'bundleId'],
          ['R-3.97', 'integerVersion'],
          ['R-3.98', 'deeplinkCapability'],
          ['R-3.99', 'hostOs'],
          ['R-3.100', 'nativeApp'],
        ],
        JSON.stringify,
        ([, key]) => {
          values.clear()
          const kept = createStorage(() => local)
          kept.set(key, 'x')
          expect([...values]).toEqual([[key, 'x']])
          values.set(key, 'from the app')
          expect(kept.get(key)).toBe('from the app')
          kept.remove(key)
          expect(kept.get(key)).toBeNull()
        },
      ),
    ).toEqual([])
  })

  test('when storage is full, values that do not fit stay in memory until there is room', () => {
    let isFull = true
    const kept = createStorage(() => ({
      ...local,
      setItem(key: string, value: string) {
        if (isFull) throw new DOMException('full', 'QuotaExceededError')
        local.setItem(key, value)
      },
    }))
    kept.set('theme', 'dark')
    expect([kept.get('theme'), values.size]).toEqual(['dark', 0])
    isFull = false
    kept.set('theme', 'light')
    values.set('theme', 'auto')
    expect(kept.get('theme')).toBe('auto')
  })
})

describe('R-3.101 R-3.102 host version', () => {
  const take = (version: string) => applyHostAppParameters(new URL(`https://portal.test/?host_version=${encodeURIComponent(version)}`))
  const stored = () => ['platform', 'bundleId', 'hostAppVersion', 'integerVersion'].map((key) => values.get(key))

  test('the host version is split into platform, bundle, version and number', async () => {
    expect(
      await collectFailures(
        [
          ['ios-com.example.portal-1.12.3', ['ios', 'com.example.portal', '1.12.3', '11203']],
          ['android-com.example-labs.portal-2.0.0', ['android', 'com.example-labs.portal', '2.0.0', '20000']],
          ['ios-a-b-c-d-0.0.9', ['ios', 'a-b-c-d', '0.0.9', '9']],
        ] as const,
        JSON.stringify,
        ([version, expected]) => {
          values.clear()
          take(version)
          expect(stored()).toEqual(expected)
        },
      ),
    ).toEqual([])
  })

  test('a malformed host version stores nothing but still leaves the address', async () => {
    expect(
      await collectFailures(['', 'ios', 'ios-1.2.3', '-', '--'], String, (version) => {
        values.clear()
        expect(take(version).search).toBe('')
        expect(stored()).toEqual([undefined, undefined, undefined, undefined])
      }),
    ).toEqual([])
  })

  test('a later host version replaces the first', () => {
    take('ios-com.example.portal-1.0.0')
    take('ios-com.example.portal-1.0.1')
    expect(values.get('integerVersion')).toBe('10001')
  })
})

test('R-3.100 the portal is inside the native app only with native_app=1 or true', async () => {
  expect(
    await collectFailures(
      [
        ['native_app=1', true],
        ['native_app=true', true],
        ['native_app=0', false],
        ['native_app=yes', false],
        ['', false],
      ] as const,
      JSON.stringify,
      ([query, expected]) => {
        values.clear()
        applyHostAppParameters(new URL(`https://portal.test/?${query}`))
        expect(hostApp.isNative()).toBe(expected)
      },
    ),
  ).toEqual([])
})

test('R-3.98 R-3.103 the capability of a newer app is stored as text, and its unknown bits are ignored', () => {
  applyHostAppParameters(new URL('https://portal.test/?deeplink=13'))
  expect(values.get('deeplinkCapability')).toBe('13')
  expect(storage.get('deeplinkCapability')).toBe('13')
  expect([hostApp.can(1), hostApp.can(2)]).toEqual([true, false])
})
