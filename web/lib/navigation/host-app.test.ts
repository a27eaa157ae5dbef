import { beforeEach, expect, test } from 'vitest'
import { DeeplinkFlag } from '#contracts/rules/navigation.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { type StorageKey, storage } from '#web/lib/storage.ts'
import { applyHostAppParameters, hostApp } from './host-app.ts'

const KEYS = [
  'platform',
  'bundleId',
  'hostAppVersion',
  'integerVersion',
  'deeplinkCapability',
  'hostOs',
  'nativeApp',
] as const satisfies StorageKey[]
const stored = () => Object.fromEntries(KEYS.map((key) => [key, storage.get(key)]))
const take = (query: string) => applyHostAppParameters(new URL(`https://portal.test/map?${query}`)).search

const reset = () => {
  for (const key of KEYS) storage.remove(key)
}

beforeEach(reset)

test('R-1.30 R-3.94 … R-3.101 parameters of the host app are stored and leave the address', () => {
  expect(take('host_version=ios-com.example.my-portal-1.12.3&host_os=ios&deeplink=3&native_app=1&tab=2')).toBe('?tab=2')
  expect(stored()).toEqual({
    platform: 'ios',
    bundleId: 'com.example.my-portal',
    hostAppVersion: '1.12.3',
    integerVersion: '11203',
    deeplinkCapability: '3',
    hostOs: 'ios',
    nativeApp: 'true',
  })
})

test('an unreadable host version stores nothing', () => {
  take('host_version=ios-1.2.3')
  expect(Object.values(stored()).every((value) => value === null)).toBe(true)
})

test('R-3.103 the capability flags tell whether Find My and boost are supported', async () => {
  expect(
    await collectFailures(
      [
        ['0', false, false],
        ['1', true, false],
        ['2', false, true],
        ['7', true, true],
        ['-1', false, false],
        ['abc', false, false],
      ] as const,
      JSON.stringify,
      ([deeplink, findMy, boost]) => {
        reset()
        take(`deeplink=${deeplink}`)
        expect([hostApp.can(DeeplinkFlag.FindMy), hostApp.can(DeeplinkFlag.RealtimeBoost)]).toEqual([findMy, boost])
      },
    ),
  ).toEqual([])
})

test('stored values of the host app remain for later page loads', () => {
  take('native_app=true')
  take('')
  expect(hostApp.isNative()).toBe(true)
})
