import { expect, test } from 'vitest'
import { createRecord } from './call-record.ts'
import { parseUnits } from './parse-units.ts'
import { describeSelection, selectTests } from './select-tests.ts'

const FILES = {
  'contracts/links.ts': "import { MOST } from '#contracts/limits.ts'\nexport const links = { create: { path: '/links/', most: MOST } }\n",
  'contracts/index.ts': "import { links } from './links.ts'\nexport const api = {\n  links,\n}\n",
  'contracts/endpoints.test.ts': "import { api } from './index.ts'\n",
  'db/migrations.test.ts': '',
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
  'web/links/links.module.css': '',
  'web/links/links.format.ts': "import { MOST } from '#contracts/limits.ts'\nexport const formatLinks = (n: number) => `${n}/${MOST}`\n",
  'web/ui/icons.ts': 'export const ICONS = 3\n',
  'web/ui/badge.tsx': "import { ICONS } from './icons.ts'\nexport const Badge = () => ICONS\n",
  'web/app/start/start.ts': 'const start = () => 1\nstart()\n',
  'web/index.html': '<title>Portal</title>',
  'e2e/links/links.spec.ts': "import { openLinks } from '#e2e/links/open.ts'\n",
  'e2e/links/open.ts': 'export const openLinks = () => 1\n',
  'e2e/places/places.spec.ts': '',
  'e2e/mock/mailbox.spec.ts': '',
  'scripts/docs.test.ts': "const text = readFileSync('docs/links.md')\n",
}

const [LINKS, PLACES, MAILBOX] = ['e2e/links/links.spec.ts', 'e2e/places/places.spec.ts', 'e2e/mock/mailbox.spec.ts'] as const

/** A project, recorded by what each test calls: `path name` for the function that a statement declares, or that has this key. */
function makeProject() {
  const files = new Map(Object.entries(FILES))
  const record = createRecord()
  const tests = [...files.keys()].filter((path) => /\.(test|spec)\./.test(path))
  const callers = [...tests.filter((name) => name.includes('.test.')), 'endpoint links.create']
  record.callers = callers.map((name) => ({ name, seconds: 1 }))
  const call = (path: string, index: number, ...names: string[]) => {
    const { hash } = parseUnits(path, files.get(path)!).functions[index]!
    record.functions[path] = { ...record.functions[path], [hash]: names.map((name) => callers.indexOf(name)) }
    return hash
  }
  const start = (path: string, index: number) => {
    record.starting[path] = [parseUnits(path, files.get(path)!).functions[index]!.hash]
  }
  const [add, count, screen] = ['server/links/add.test.ts', 'server/links/count.test.ts', 'web/links/links.test.tsx'] as const
  call('server/links/links.handlers.ts', 1, add, 'endpoint links.create')
  call('server/links/links.handlers.ts', 2, count)
  start('server/links/links.handlers.ts', 0)
  call('server/links/links.ts', 0, add, 'endpoint links.create')
  call('server/links/links.ts', 1, add, count)
  call('web/links/links-screen.tsx', 0, screen)
  record.functions['server/test/start-portal.ts'] = { any: [add, count, screen].map((name) => callers.indexOf(name)) }
  start('server/http/routes.ts', 0)
  record.endpoints = { 'links.create': [callers.indexOf(add)], 'tags.create': [callers.indexOf(count)] }
  record.browser = {
    [LINKS]: {
      endpoints: ['links.create'],
      modules: [
        'web/index.html',
        'web/links/links-screen.tsx',
        'web/links/links.module.css',
        'web/links/links.format.ts',
        'locales/en/portal.json',
      ],
    },
    [PLACES]: { endpoints: ['places.list'], modules: ['web/index.html', 'web/ui/badge.tsx', 'locales/en/portal.json'] },
    [MAILBOX]: { endpoints: [], modules: [] },
  }
  return { files, tests, record }
}

const selectAll = (path: string, code: string, changed: string) => {
  const before = FILES[path as keyof typeof FILES] ?? code
  expect(before).toContain(code)
  const project = makeProject()
  const after = before.replace(code, changed)
  project.files.set(path, after)
  return [...selectTests([{ path, oldPath: path, before, after }], project).tests.keys()].sort()
}
const isSpec = (test: string) => test.endsWith('.spec.ts')
const select = (...change: Parameters<typeof selectAll>) => selectAll(...change).filter((test) => !isSpec(test))
const selectSpecs = (...change: Parameters<typeof selectAll>) => selectAll(...change).filter(isSpec)

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

test('a changed handler, and what it calls, selects the browser tests that call its endpoint', () => {
  expect(selectSpecs('server/links/links.handlers.ts', 'addLink()', '!addLink()')).toEqual([LINKS])
  expect(selectSpecs('server/links/links.ts', 'countLinks() < MOST', 'countLinks() <= MOST')).toEqual([LINKS])
  expect(selectSpecs('server/links/links.handlers.ts', 'countLinks(),', '!countLinks(),')).toEqual([])
})

test('a changed screen selects the browser tests that load it, and so do its styles', () => {
  expect(selectSpecs('web/links/links-screen.tsx', '<p>', '<p><b/>')).toEqual([LINKS])
  expect(selectSpecs('web/links/links.module.css', '', 'p { margin: 0 }')).toEqual([LINKS])
})

test('a changed value selects the browser tests that load code which reads it, also where a build puts it into this code', () => {
  expect(selectSpecs('contracts/limits.ts', '5', '6')).toEqual([LINKS])
  expect(selectSpecs('web/ui/icons.ts', '3', '4')).toEqual([PLACES])
})

test('the script of the page and code that builds the server select all browser tests that use them', () => {
  expect(selectSpecs('web/app/start/start.ts', '1', '2')).toEqual([LINKS, PLACES])
  expect(selectSpecs('server/http/routes.ts', '[]', '[1]')).toEqual([LINKS, PLACES])
})

test('changed words select the browser tests that load them and a screen which shows them', () => {
  const words = (none: string) => JSON.stringify({ links: { none } })
  expect(selectSpecs('locales/en/portal.json', words('No link'), words('No links'))).toEqual([LINKS])
  expect(selectSpecs('locales/fr/portal.json', words('No link'), words('No links'))).toEqual([])
})

test('changed support of browser tests selects those that import it', () => {
  expect(selectSpecs('e2e/links/open.ts', '1', '2')).toEqual([LINKS])
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

test('a contract that is new in the table selects the tests that read the table, and one that left it those that call its endpoints', () => {
  const table = FILES['contracts/index.ts']
  expect(selectAll('contracts/index.ts', table, table.replace('  links,\n', '  links,\n  tags,\n'))).toEqual([
    'contracts/endpoints.test.ts',
    'server/links/count.test.ts',
  ])
  expect(selectAll('contracts/index.ts', '  links,\n', '')).toEqual(
    ['contracts/endpoints.test.ts', 'server/links/add.test.ts', LINKS].sort(),
  )
  expect(selectAll('contracts/index.ts', 'export const', 'start()\nexport const')).toContain(MAILBOX)
})

test('a new migration selects the tests of the database, and a changed one all tests', () => {
  const project = makeProject()
  const path = 'db/migrations/0007_tags.sql'
  const selectMigration = (before?: string) => selectTests([{ path, oldPath: path, before, after: 'create table tags' }], project)
  expect([...selectMigration().tests.keys()]).toEqual(['db/migrations.test.ts'])
  expect(selectMigration('create table tag').everything).toBe(`${path} changed`)
  const journal = 'db/migrations/meta/_journal.json'
  const grown = { path: journal, oldPath: journal, before: '{"entries":[1]}', after: '{"entries":[1,2]}' }
  expect([...selectTests([grown], project).tests.keys()]).toEqual(['db/migrations.test.ts'])
  expect(selectTests([{ ...grown, after: '{"entries":[2]}' }], project).everything).toBe(`${journal} changed`)
})

test('the configuration of the build of the portal selects the browser tests', () => {
  expect(selectAll('vite.config.ts', 'export default {}', 'export default { base: 1 }')).toEqual([LINKS, MAILBOX, PLACES].sort())
})

test('a comment in a configuration selects no test', () => {
  expect(selectAll('vitest.config.ts', 'export default {}', '// Nothing.\nexport default {}')).toEqual([])
  expect(selectAll('vitest.config.ts', 'export default {}', 'export default { test: {} }')).toContain(MAILBOX)
})

test('what every test stands on selects all of them', () => {
  const project = makeProject()
  const selection = selectTests([{ path: 'package.json', oldPath: 'package.json', before: '{}', after: '{"a":1}' }], project)
  expect(selection.tests.size).toBe(project.tests.length)
  expect(describeSelection(selection, 5)).toBe('All 5 test files: package.json changed')
})
