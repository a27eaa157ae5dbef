import { expect, test } from 'vitest'
import { budgets, type Manifest, weigh } from './budgets.ts'
import { demandFiles } from './finding.ts'

const manifest: Manifest = {
  'index.html': { file: 'index.js', isEntry: true, imports: ['_react.js'] },
  '_react.js': { file: 'react.js' },
  'sign-in/login-screen.tsx': { file: 'login.js', imports: ['_react.js', '_form.js', 'index.html'] },
  '_form.js': { file: 'form.js' },
  'home/home-screen.tsx': { file: 'home.js' },
  '../locales/en/portal.json': { file: 'en.js' },
  '../locales/ja/portal.json': { file: 'ja.js' },
  '../locales/en/portal-map.json': { file: 'en-map.js' },
  '../locales/ja/portal-map.json': { file: 'ja-map.js' },
}
const kilobytes: Record<string, number> = {
  'index.js': 10,
  'react.js': 60,
  'login.js': 5,
  'form.js': 7,
  'home.js': 90,
  'en.js': 3,
  'ja.js': 4,
  'en-map.js': 5,
  'ja-map.js': 2,
}
const login = { name: 'login', limit: 180, chunks: [/login-screen/], words: ['portal'] }
const map = { name: 'map', limit: 270, chunks: [/home-screen/], words: ['portal', 'portal-map'] }

test('the weight of a page is its entry, its screen, their shared imports once, and the largest language', () => {
  expect(weigh(manifest, login, (file) => (kilobytes[file] ?? 0) * 1000)).toBe(10 + 60 + 5 + 7 + 4)
  expect(weigh(manifest, map, (file) => (kilobytes[file] ?? 0) * 1000)).toBe(10 + 60 + 90 + 3 + 5)
})

test('a portal that is not built fails the check', () => {
  expect(demandFiles(budgets('no/such/folder')).problems.join()).toContain('build the portal')
})
