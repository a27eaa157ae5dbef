import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { checkBudgets, checkHosts, type Manifest, pageWeight, readBuiltFiles } from './built-portal.ts'
import { requireFiles } from './runner.ts'

const manifest: Manifest = {
  'index.html': { file: 'index.js', isEntry: true, imports: ['_react.js'] },
  '_react.js': { file: 'react.js' },
  '_login-1.js': { file: 'login.js', imports: ['_react.js', '_form.js', 'index.html'] },
  '_form.js': { file: 'form.js' },
  '_home-1.js': { file: 'home.js' },
  '../locales/en/portal.json': { file: 'en.js' },
  '../locales/ja/portal.json': { file: 'ja.js' },
  '../locales/en/portal-extras.json': { file: 'en-extras.js' },
  '../locales/ja/portal-extras.json': { file: 'ja-extras.js' },
}
const kilobytes: Record<string, number> = {
  'index.js': 10,
  'react.js': 60,
  'login.js': 5,
  'form.js': 7,
  'home.js': 90,
  'en.js': 3,
  'ja.js': 4,
  'en-extras.js': 5,
  'ja-extras.js': 2,
}
const login = { name: 'login', limit: 180, scripts: 4, chunks: [/^_login-/], texts: ['portal'] }
const map = { name: 'map', limit: 270, scripts: 6, chunks: [/^_home-/], texts: ['portal', 'portal-extras'] }

test('the weight of a page is its entry, its screen, their shared imports once, and the largest language', () => {
  expect(pageWeight(manifest, login, (file) => (kilobytes[file] ?? 0) * 1000)).toEqual({ kilobytes: 10 + 60 + 5 + 7 + 4, needed: 5 })
  expect(pageWeight(manifest, map, (file) => (kilobytes[file] ?? 0) * 1000)).toEqual({ kilobytes: 10 + 60 + 90 + 3 + 5, needed: 5 })
})

const filesOf = (entries: Record<string, string>) => new Map(Object.entries(entries))

test('a script, style or picture from another host is reported', () => {
  const built = filesOf({ 'index.html': '<script src="https://cdn.example/x.js">', 'a.css': 'x { background: url(//cdn.example/x.png) }' })
  expect(checkHosts(built).problems).toHaveLength(2)
})

test('a host without an explanation is reported, while an XML namespace passes', () => {
  expect(checkHosts(filesOf({ 'a.js': 'fetch("https://maps.tracker.com/x")' })).problems).toEqual([
    expect.stringContaining('maps.tracker.com'),
  ])
  expect(checkHosts(filesOf({ 'a.js': '"http://www.w3.org/2000/svg"' })).problems).toEqual([])
})

describe('a built portal on disk', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'whereabouts-built-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))
  const write = (path: string, text: string) => {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const screens = {
    '_login-1.js': { file: 'login.js' },
    '_home-1.js': { file: 'home.js' },
    ...Object.fromEntries(['portal', 'portal-inside'].map((name) => [`../locales/en/${name}.json`, { file: 'index.js' }])),
  }
  const writeManifest = (chunks: object) => {
    write('.vite/manifest.json', JSON.stringify({ 'index.html': { file: 'index.js', isEntry: true }, ...chunks }))
    write('index.html', '<p>')
  }
  const noise = (kilobytes: number) => {
    let [seed, text] = [1, '']
    while (text.length < kilobytes * 1000) {
      seed = (seed * 48_271) % 2_147_483_647
      text += String.fromCharCode(33 + (seed % 94))
    }
    return text
  }

  test('R-2.1 a portal within its budgets passes, and the remark shows its weight', () => {
    writeManifest(screens)
    for (const file of ['index.js', 'login.js', 'home.js']) write(file, 'x')
    expect(checkBudgets(folder)).toMatchObject({
      fileCount: 5,
      problems: [],
      remark: expect.stringMatching(/^document 0\.\d\/6 kB, login 0\.\d\/180 kB in 2\/4 scripts, map 0\.\d\/286 kB in 2\/6 scripts$/),
    })
  })

  test('R-2.1 a page over its budget is reported with its weight', () => {
    writeManifest(screens)
    for (const file of ['index.js', 'home.js']) write(file, 'x')
    write('login.js', noise(260))
    expect(checkBudgets(folder).problems).toEqual([
      expect.stringMatching(/^the login page needs 2\d\d\.\d kB of JavaScript, at most 180 allowed$/),
    ])
  })

  test('a document with a library in its script is reported, because every page waits for it', () => {
    writeManifest(screens)
    for (const file of ['index.js', 'login.js', 'home.js']) write(file, 'x')
    write('index.html', `<script>${noise(12)}</script>`)
    expect(checkBudgets(folder).problems).toEqual([expect.stringMatching(/^index\.html has \d+\.\d kB, at most 6 allowed$/)])
  })

  test('R-2.1 a page of too many scripts is reported with their number', () => {
    const parts = Array.from({ length: 5 }, (_, at) => `_part-${at}.js`)
    writeManifest({
      ...screens,
      '_login-1.js': { file: 'login.js', imports: parts },
      ...Object.fromEntries(parts.map((part) => [part, { file: part }])),
    })
    for (const file of ['index.js', 'login.js', 'home.js', ...parts]) write(file, 'x')
    expect(checkBudgets(folder).problems).toEqual(['the login page needs 7 scripts, at most 4 allowed'])
  })

  test('R-2.1 every page and text that a budget names must be in the build', async () => {
    for (const file of ['index.js', 'login.js', 'home.js']) write(file, 'x')
    expect(
      await collectFailures(
        Object.keys(screens),
        (missing) => missing,
        (missing) => {
          writeManifest(Object.fromEntries(Object.entries(screens).filter(([key]) => key !== missing)))
          const name = missing.includes('locales') ? missing.replace('../locales/en', 'locales/*') : missing.replace(/-1\.js$/, '')
          const { problems } = checkBudgets(folder)
          expect(problems.length).toBeGreaterThan(0)
          for (const problem of problems) expect(problem).toContain(name)
        },
      ),
    ).toEqual([])
  })

  test('scripts and pages of a build are read from all folders, but not pictures and fonts', () => {
    write('assets/a.js', '"https://cdn.tracker.com"')
    write('index.html', '<p>')
    write('assets/inter.woff2', 'https://fonts.tracker.com')
    const files = readBuiltFiles(folder)
    expect([...files.keys()].sort()).toEqual(['assets/a.js', 'index.html'])
    expect(checkHosts(files).problems).toEqual([expect.stringContaining('cdn.tracker.com')])
  })

  test('a missing build has no files', () => {
    expect(readBuiltFiles(join(folder, 'none')).size).toBe(0)
  })

  test('a portal that is not built fails the check', () => {
    expect(requireFiles(checkBudgets(join(folder, 'none'))).problems.join()).toContain('build the portal')
  })
})
