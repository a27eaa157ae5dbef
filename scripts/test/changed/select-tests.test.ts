import { expect, test } from 'vitest'
import { createRecord } from './call-record.ts'
import { parseUnits } from './parse-units.ts'
import { describeSelection, selectTests } from './select-tests.ts'

const FILES = {
  'contracts/links.ts': "import { MOST } from '#contracts/limits.ts'\nexport const links = { create: { path: '/links/', most: MOST } }\n",
  'contracts/index.ts': "import { links } from './links.ts'\nexport const api = { links }\n",
  'contracts/limits.ts': 'export const MOST = 5\nexport type Most = number\n',
  'server/links/links.handlers.ts':
    "import { addLink, countLinks } from './links.ts'\nexport const links = () => ({\n  create: () => addLink(),\n  count: () => countLinks(),\n})\n",
  'server/links/links.ts':
    "import { MOST } from '#contracts/limits.ts'\nexport const addLink = () => countLinks() < MOST\nexport const countLinks = () => 1\n",
  'server/http/routes.ts': 'export const buildRoutes = () => []\n',
  'web/links/links-screen.tsx': 'export default function LinksScreen() {\n  return <p>{t(`links.title`)}{t("links.none")}</p>\n}\n'
    .replaceAll('`', "'")
    .replaceAll('"', "'"),
  'server/links/add.test.ts': '',
  'server/links/count.test.ts': '',
  'contracts/limits.test.ts': "import { MOST } from './limits.ts'\n",
  'web/links/links.test.tsx': '',
  'scripts/docs.test.ts': "const text = readFileSync('docs/links.md')\n",
}

/** A project, recorded by what each test calls: `path name` for the function that a statement declares, or that has this key. */
function makeProject() {
  const files = new Map(Object.entries(FILES))
  const record = createRecord()
  const tests = [...files.keys()].filter((path) => path.includes('.test.'))
  record.callers = tests.map((name) => ({ name, seconds: 1 }))
  const call = (path: string, index: number, ...callers: string[]) => {
    const { hash } = parseUnits(path, files.get(path)!).functions[index]!
    record.functions[path] = { ...record.functions[path], [hash]: callers.map((caller) => tests.indexOf(caller)) }
    return hash
  }
  const start = (path: string, index: number) => {
    record.starting[path] = [parseUnits(path, files.get(path)!).functions[index]!.hash]
  }
  const [add, count, screen] = ['server/links/add.test.ts', 'server/links/count.test.ts', 'web/links/links.test.tsx'] as const
  call('server/links/links.handlers.ts', 1, add)
  call('server/links/links.handlers.ts', 2, count)
  start('server/links/links.handlers.ts', 0)
  call('server/links/links.ts', 0, add)
  call('server/links/links.ts', 1, add, count)
  call('web/links/links-screen.tsx', 0, screen)
  record.functions['server/test/start-portal.ts'] = { any: [add, count, screen].map((caller) => tests.indexOf(caller)) }
  start('server/http/routes.ts', 0)
  record.endpoints = { 'links.create': [tests.indexOf(add)], 'tags.create': [tests.indexOf(count)] }
  return { files, tests, record }
}

const select = (path: string, code: string, changed: string) => {
  const before = FILES[path as keyof typeof FILES] ?? code
  expect(before).toContain(code)
  const project = makeProject()
  const after = before.replace(code, changed)
  project.files.set(path, after)
  return [...selectTests([{ path, oldPath: path, before, after }], project).tests.keys()].sort()
}

test('a changed function selects the tests that called it', () => {
  expect(select('server/links/links.ts', 'countLinks() < MOST', 'countLinks() <= MOST')).toEqual(['server/links/add.test.ts'])
  expect(select('server/links/links.ts', '=> 1', '=> 2')).toEqual(['server/links/add.test.ts', 'server/links/count.test.ts'])
})

test('a changed handler selects the tests of its endpoint, although every server builds it', () => {
  expect(select('server/links/links.handlers.ts', 'addLink()', '!addLink()')).toEqual(['server/links/add.test.ts'])
})

test('a changed function that builds the server selects all tests with a server', () => {
  expect(select('server/http/routes.ts', '[]', '[1]')).toEqual([
    'server/links/add.test.ts',
    'server/links/count.test.ts',
    'web/links/links.test.tsx',
  ])
})

test('a changed limit selects the tests of all code that reads it, and of the contracts that have it', () => {
  expect(select('contracts/limits.ts', '5', '6')).toEqual(['contracts/limits.test.ts', 'server/links/add.test.ts'])
})

test('a changed contract selects the tests that call its endpoints', () => {
  expect(select('contracts/links.ts', '/links/', '/link/')).toEqual(['server/links/add.test.ts'])
})

test('comments, types and documents that no test names select nothing', () => {
  expect(select('contracts/limits.ts', 'export type Most = number', '// A limit.\nexport type Most = 5')).toEqual([])
  expect(select('docs/other.md', 'some text', 'other text')).toEqual([])
})

test('a document selects the tests that name it', () => {
  expect(select('docs/links.md', 'some text', 'other text')).toEqual(['scripts/docs.test.ts'])
})

test('changed words select the tests of the screens that show them', () => {
  const words = (none: string) => JSON.stringify({ links: { none } })
  expect(select('locales/en/portal.json', words('No link'), words('No links'))).toEqual(['web/links/links.test.tsx'])
})

test('tests that changed or were never recorded always run', () => {
  const project = makeProject()
  const fresh = 'server/links/new.test.ts'
  project.tests.push(fresh)
  const changes = [{ path: 'server/links/count.test.ts', oldPath: 'server/links/count.test.ts', before: '', after: 'test()' }]
  const selection = selectTests(changes, project)
  expect([...selection.tests]).toEqual([
    [fresh, 'was never recorded'],
    ['server/links/count.test.ts', 'changed'],
  ])
  expect(describeSelection(selection, 6)).toBe(
    '2 of 6 test files:\n  was never recorded: server/links/new.test.ts\n  changed: server/links/count.test.ts',
  )
})

test('what every test stands on selects all of them', () => {
  const project = makeProject()
  const selection = selectTests([{ path: 'package.json', oldPath: 'package.json', before: '{}', after: '{"a":1}' }], project)
  expect(selection.tests.size).toBe(project.tests.length)
  expect(describeSelection(selection, 5)).toBe('All 5 test files: package.json changed')
})
