import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { commands } from '#scripts/cli/commands.ts'
import { readConfig } from '#server/config.ts'
import { refuseUnsafe } from '#server/mock/control/refuse-unsafe.ts'
import { listBlocks } from '#server/test/test-guide.ts'

const GUIDE = 'docs/testing/ci.md'
const guide = readFileSync(GUIDE, 'utf8')
const manifest: { name: string; version: string } = JSON.parse(readFileSync('package.json', 'utf8'))
const dockerfile = readFileSync('Dockerfile', 'utf8')

type Step = { uses?: string; run?: string; with?: Record<string, unknown>; env?: Record<string, string> }
type Workflow = {
  on: Record<string, unknown>
  jobs: Record<string, { 'runs-on': string; steps: Step[] }>
  services: { whereabouts: { image: string; ports: string[]; env: Record<string, string> } }
}
const [workflow, ownServer, service] = listBlocks(GUIDE)
  .filter(({ language }) => language === 'yaml')
  .map(({ text }) => parse(text)) as [Workflow, Step[], Workflow]
const steps = [...Object.values(workflow.jobs).flatMap((job) => job.steps), ...ownServer]
const lines = steps.flatMap(({ run = '' }) => run.trim().split('\n')).filter(Boolean)

test('each step of the workflow either runs a command or uses an action of a fixed version', () => {
  expect(Object.keys(workflow.on)).toEqual(['push', 'pull_request'])
  expect(steps.length).toBeGreaterThan(10)
  expect(steps.filter(({ uses, run }) => (uses === undefined) === (run === undefined))).toEqual([])
  expect(steps.flatMap(({ uses }) => uses ?? []).filter((uses) => !/^actions\/[a-z-]+@v\d+$/.test(uses))).toEqual([])
})

test('the workflow packs and installs the archive that npm makes of this repository', () => {
  const archive = `${manifest.name}-${manifest.version}.tgz`
  expect(steps.flatMap((step) => step.with?.path ?? [])).toContain(archive)
  expect(lines).toContain(`npm install --no-save ./${archive}`)
  expect(lines).toContain('npm pack --pack-destination ..')
})

test('the workflow runs commands of the terminal that exist', () => {
  const names = [...lines.join('\n').matchAll(/npx whereabouts (\S+)/g)].map(([, name]) => name)
  expect(names).toEqual(['up'])
  expect(commands.map(({ name }) => name)).toEqual(expect.arrayContaining(names))
})

test('the containers of the guide use the port, the health check and the variables of the image', () => {
  expect(dockerfile).toContain('EXPOSE 8080\n')
  expect(dockerfile).toMatch(/HEALTHCHECK.*\n.*\/healthz/)
  expect(service.services.whereabouts.ports).toEqual(['8080:8080'])
  const code = listBlocks(GUIDE).filter(({ language }) => ['ts', 'java'].includes(language))
  expect(code).toHaveLength(3)
  const [node, java, ports] = code.map(({ text }) => text) as [string, string, string]
  for (const text of [node, java]) for (const part of ['/healthz', '8080', 'CONTROL_TOKEN']) expect(text).toContain(part)
  const set = [...ports.matchAll(/([A-Z_]+): '([^']+)'/g)].map(([, name = '', value = '']) => [name, value] as const)
  expect(set.map(([name]) => name)).toEqual(['WORLD_ORIGIN', 'PORTAL_ORIGIN'])
  const env = { HOST: '0.0.0.0', PORT: '8080', ...Object.fromEntries(set) }
  expect(() => refuseUnsafe(readConfig({ ...env, CONTROL_TOKEN: 'x'.repeat(24) }))).not.toThrow()
  expect(() => refuseUnsafe(readConfig(env))).toThrow('CONTROL_TOKEN')
  expect(guide).toContain('ends at once without a `CONTROL_TOKEN` of 24 characters or more')
})
