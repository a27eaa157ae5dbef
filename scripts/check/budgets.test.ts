import { expect, test } from 'vitest'
import { budgets, type Manifest, weigh } from './budgets.ts'
import { demandFiles } from './finding.ts'

const manifest: Manifest = {
  'index.html': { file: 'index.js', isEntry: true, imports: ['_react.js'] },
  '_react.js': { file: 'react.js' },
  'features/login/login-screen.tsx': { file: 'login.js', imports: ['_react.js', '_form.js', 'index.html'] },
  '_form.js': { file: 'form.js' },
  'features/map/home-screen.tsx': { file: 'home.js' },
  '../locales/en/portal.json': { file: 'en.js' },
  '../locales/ja/portal.json': { file: 'ja.js' },
}
const kilobytes: Record<string, number> = {
  'index.js': 10,
  'react.js': 60,
  'login.js': 5,
  'form.js': 7,
  'home.js': 90,
  'en.js': 3,
  'ja.js': 4,
}
const login = { name: 'login', limit: 180, chunks: [/login-screen/] }

test('a page weighs its entry, its screen, what they import once, and the heaviest language', () => {
  expect(weigh(manifest, login, (file) => (kilobytes[file] ?? 0) * 1000)).toBe(10 + 60 + 5 + 7 + 4)
})

test('a portal that was not built fails', () => {
  expect(demandFiles(budgets('no/such/folder')).problems.join()).toContain('build the portal')
})
