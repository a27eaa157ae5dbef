import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { parseAudit, parseProblems, runTool } from './tools.ts'

describe('a tool', () => {
  test('the output of a tool includes stdout and stderr, and its exit code is returned', async () => {
    const answer = await runTool(process.execPath, ['-e', 'console.log("out"); console.error("err"); process.exit(3)'])
    expect(answer.status).toBe(3)
    expect(parseProblems(answer).sort()).toEqual(['err', 'out'])
  })

  test('a tool that exits with 0 has no problems, whatever it prints', () => {
    expect(parseProblems({ status: 0, output: 'warning: x\n' })).toEqual([])
  })

  test('a tool that does not exist is reported by name', async () => {
    expect(parseProblems(await runTool('no-such-tool', [])).join()).toContain('no-such-tool')
  })

  test('a tool that hangs is killed', async () => {
    const answer = await runTool(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { limit: 300 })
    expect(answer.status).not.toBe(0)
  })
})

const importing = (what: string) => `import { x } from '${what}'\n\nexport const y = x\n`

const PLANTED: Record<string, [text: string, complaint: string]> = {
  'server/lib/parent.ts': [importing('../app.ts'), 'Import a file of another folder as #top'],
  'server/below.ts': [importing('./lib/parent.ts'), 'Import a file of another folder as #top'],
  'server/cycle-a.ts': [importing('./cycle-b.ts'), 'noImportCycles'],
  'server/cycle-b.ts': [importing('./cycle-a.ts'), 'noImportCycles'],
  'server/any.ts': ['export const x = (y: any) => y\n', 'noExplicitAny'],
  'server/log.ts': ["console.log('x')\n", 'noConsole'],
  'server/only.test.ts': ["test.only('x', () => {})\n", 'noFocusedTests'],
  'server/skip.test.ts': ["test.skip('x', () => {})\n", 'noSkippedTests'],
  'web/size.module.css': ['.a {\n  font-size: 13px;\n}\n', 'Use one of the font sizes'],
  'web/weight.module.css': ['.a {\n  font-weight: 500;\n}\n', 'The only font weights'],
  'web/font.module.css': ['.a {\n  font: 600 13px var(--font);\n}\n', 'Write the font as'],
  'web/line.module.css': ['.a {\n  line-height: 20px;\n}\n', 'A line height is a factor'],
  'web/space.module.css': ['.a {\n  padding: 4px var(--inset, 6px) 8px;\n}\n', 'Spaces are'],
  'server/ignore.ts': ["// @ts-ignore\nexport const x: number = ''\n", 'noTsIgnore'],
}

const ALLOWED: Record<string, string> = {
  'server/links/links.handlers.ts': importing('#server/trackers/find.ts'),
  'server/links/present.ts': importing('./links.handlers.ts'),
  'web/scale.module.css':
    '.a {\n  margin: 1px auto -12px calc(100% - 28px);\n  font: 600 var(--t2) / 1.5 var(--mono);\n}\n\n.b {\n  font-size: var(--t8);\n  font-weight: 400;\n  line-height: 1.2;\n}\n',
  'scripts/seed.ts': "import { x } from '#server/app.ts'\n\nconsole.log(x)\n",
}

let folder = ''
let output = ''

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'whereabouts-lint-'))
  for (const file of ['biome.json', 'scripts/check/design-scale.grit']) {
    mkdirSync(join(folder, dirname(file)), { recursive: true })
    copyFileSync(file, join(folder, file))
  }
  const texts = [...Object.entries(PLANTED).map(([path, [text]]) => [path, text] as const), ...Object.entries(ALLOWED)]
  for (const [path, text] of texts) {
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  output = (await runTool('biome', ['lint', '--max-diagnostics=200', '--colors=off', '.'], { cwd: folder })).output
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const diagnosticsOf = (path: string) =>
  output
    .split(/^(?=\S+:\d+:\d+ (?:lint\/|plugin))/m)
    .filter((part) => part.split(':')[0]?.endsWith(path))
    .join('\n')

test('the linter reports each planted violation and leaves correct files alone', async () => {
  const rows = [
    ...Object.entries(PLANTED).map(([path, [, complaint]]) => ({ path, complaint })),
    ...Object.keys(ALLOWED).map((path) => ({ path })),
  ]
  expect(
    await collectFailures(
      rows,
      ({ path }) => path,
      ({ path, complaint }: { path: string; complaint?: string }) =>
        complaint ? expect(diagnosticsOf(path)).toContain(complaint) : expect(diagnosticsOf(path)).toBe(''),
    ),
  ).toEqual([])
})

const report = (severity: string) =>
  JSON.stringify({ vulnerabilities: { left: { name: 'left', severity } }, metadata: { vulnerabilities: {}, dependencies: { prod: 9 } } })

test('an advisory of high or critical severity fails the audit, a moderate one does not', () => {
  expect(parseAudit(report('high')).problems).toHaveLength(1)
  expect(parseAudit(report('critical')).problems).toHaveLength(1)
  expect(parseAudit(report('moderate'))).toEqual({ fileCount: 9, problems: [] })
})

test('the audit is skipped when npm prints no report', () => {
  const outputs = ['', 'npm error network', '{"error":{"code":"ENOTFOUND"}}', '{"message":"not found"}']
  const skipped = { fileCount: 0, problems: [], skipped: 'the registry is unreachable' }
  expect(outputs.map((output) => ({ output, ...parseAudit(output) }))).toEqual(outputs.map((output) => ({ output, ...skipped })))
})
