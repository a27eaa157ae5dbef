import { expect, test } from 'vitest'
import { readProjectFiles } from '#scripts/check/files.ts'
import { requireFiles } from '#scripts/check/runner.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { checkWorkflows } from './workflows.ts'

const CI = '.github/workflows/ci.yml'
const files = readProjectFiles()

const checkWith = async (path: string, replaced: string, by: string) => {
  const text = files.get(path) ?? ''
  expect(text).toContain(replaced)
  return (await checkWorkflows(new Map([...files, [path, text.replace(replaced, () => by)]]))).problems.join('\n')
}

test('the workflows of this repository have no problem', async () => {
  expect(await checkWorkflows(files)).toEqual({ fileCount: 3, problems: [] })
})

test('each planted mistake in a workflow is reported', async () => {
  const mistakes = [
    { replaced: 'timeout-minutes: 20', by: 'timeout-minute: 20', problem: 'unexpected key "timeout-minute"' },
    { replaced: 'needs: [check,', by: 'needs: [chek,', problem: 'needs job "chek" which does not exist' },
    { replaced: 'matrix.node }}', by: 'matrix.version }}', problem: 'property "version" is not defined' },
    { replaced: 'contents: read', by: 'content: read', problem: 'unknown permission scope "content"' },
    { replaced: 'npm run check', by: 'npm run chek', problem: 'package.json has no script chek' },
    { replaced: '--project web', by: '--project wep', problem: 'vitest.config.ts has no project wep' },
    { replaced: 'node scripts/setup.mjs', by: 'node scripts/set-up.mjs', problem: 'there is no file scripts/set-up.mjs' },
    { replaced: /checkout@.*/.exec(files.get(CI) ?? '')?.[0] ?? '', by: 'checkout@v7', problem: 'pin actions/checkout@v7 to the hash' },
    { replaced: 'name: ci', by: 'name: [ci', problem: `${CI}:` },
  ]
  expect(
    await collectFailures(
      mistakes,
      ({ by }) => by,
      async ({ replaced, by, problem }) => expect(await checkWith(CI, replaced, by)).toContain(problem),
    ),
  ).toEqual([])
})

test('a file for the forge that is not valid YAML is reported', async () => {
  expect(await checkWith('.github/dependabot.yml', 'version: 2', 'version: [2')).toContain('.github/dependabot.yml: ')
})

test('a repository without workflows fails the check', async () => {
  expect(requireFiles(await checkWorkflows(new Map())).problems.join()).toContain('examined no file')
})
