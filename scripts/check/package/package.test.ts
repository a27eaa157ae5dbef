import { expect, test } from 'vitest'
import { readProjectFiles } from '#scripts/check/files.ts'
import { checkLicences } from './licences.ts'
import { checkManifest } from './manifest.ts'

const checkLock = (packages: Record<string, object>, manifest: object = {}, NOTICE = '') =>
  checkLicences(
    new Map(Object.entries({ 'package-lock.json': JSON.stringify({ packages }), 'package.json': JSON.stringify(manifest), NOTICE })),
  ).problems

test('a package with a licence that is not allowed is reported, even if it is nested or optional', () => {
  expect(checkLock({ 'node_modules/a': { license: 'GPL-3.0-only' } }).join()).toContain('a has the licence GPL-3.0-only')
  expect(checkLock({ 'node_modules/a/node_modules/@b/c': { license: 'AGPL-3.0', optional: true } }).join()).toMatch(/^@b\/c has/)
  expect(checkLock({ 'node_modules/a': {} }).join()).toContain('a has the licence none')
  expect(checkLock({ 'node_modules/a': { license: 'MIT' }, 'node_modules/own': { link: true } })).toEqual([])
})

test('one licence of a choice must be allowed, and all of a combination', () => {
  const check = (license: string) => checkLock({ 'node_modules/a': { license } }).length
  const rows = { '(MIT OR GPL-3.0)': 0, 'MIT AND OFL-1.1': 0, 'MIT AND GPL-3.0': 1, '(GPL-2.0 OR GPL-3.0)': 1, 'SEE LICENSE IN X': 1 }
  expect(Object.fromEntries(Object.keys(rows).map((license) => [license, check(license)]))).toEqual(rows)
})

test('libvips may be LGPL, any other package may not', () => {
  expect(checkLock({ 'node_modules/@img/sharp-libvips-linux-x64': { license: 'LGPL-3.0-or-later' } })).toEqual([])
  expect(checkLock({ 'node_modules/libvips': { license: 'LGPL-3.0-or-later' } })).toHaveLength(1)
})

test('a bundled typeface or reader that NOTICE does not name is reported', () => {
  const devDependencies = { '@fontsource/lato': '1.0.0', '@fontsource/noto-emoji': '1.0.0', 'fit-file-parser': '1.0.0', vitest: '1.0.0' }
  expect(checkLock({}, { devDependencies })).toHaveLength(3)
  expect(checkLock({}, { devDependencies }, 'lato, Noto Emoji, fit-file-parser')).toEqual([])
})

test("a manifest that cannot be published, or lacks fields for the registry's page, is reported", () => {
  const files = readProjectFiles()
  const manifest = JSON.parse(files.get('package.json') ?? '')
  const check = (changes: object) =>
    checkManifest(new Map([...files, ['package.json', JSON.stringify({ ...manifest, ...changes })]])).problems
  expect(check({})).toEqual([])
  expect(check({ private: true }).join()).toContain('private')
  expect(check({ keywords: undefined, license: '' })).toEqual(['package.json has no keywords', 'package.json has no license'])
  expect(check({ dependencies: { zod: 'file:../zod' } }).join()).toContain('zod from a place that other machines lack')
  expect(checkManifest(new Map()).fileCount).toBe(0)
})
