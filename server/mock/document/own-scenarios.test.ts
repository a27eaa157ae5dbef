import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openTestCity } from '#server/mock/city/testing.ts'
import type { OwnScenarios } from '#server/mock/seed/scenarios/scenario.ts'
import { createTemplates } from '#server/mock/worlds/templates.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { listBlocks } from '#server/test/test-guide.ts'
import { loadOwnScenarios } from './own-scenarios.ts'

function createFolder(files: Record<string, string>) {
  const folder = mkdtempSync(path.join(tmpdir(), 'scenarios-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text)
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

async function load(folder: string) {
  await using portal = await startPortal()
  const own: OwnScenarios = new Map()
  await loadOwnScenarios(folder, own, { worlds: portal.worlds, server: { base: 'http://portal.test', fetch: portal.fetch } })
  return own
}

test('the scenarios of a folder are listed, and worlds start with their data, time and people', async () => {
  const own = await load('examples/scenarios')
  await using portal = await startPortal({ own })
  const { body: list } = await portal.call(null, 'GET', '/mock/scenarios')
  expect(list.filter(({ key }: { key: string }) => own.has(key))).toMatchObject([
    { key: 'dog-sitter', title: expect.stringContaining('sitter'), personas: ['anna'], size: null },
    { key: 'late-van', title: expect.stringContaining('van'), personas: ['dario'], size: null },
  ])
  const sitter = await portal.call(null, 'POST', '/mock/worlds', { id: 'sitter', scenario: 'dog-sitter' })
  expect(sitter.body).toMatchObject({ scenario: 'dog-sitter', clock: { now: '2026-03-02T09:00:00Z' }, personas: [{ key: 'anna' }] })
  const van = await portal.call(null, 'POST', '/mock/worlds', { id: 'van', scenario: 'late-van' })
  expect(van.body).toMatchObject({ clock: { now: '2026-03-05T09:00:00Z' }, personas: [{ key: 'dario' }] })
  const dario = { 'x-world': 'van', authorization: `Bearer ${van.body.personas[0].token}` }
  expect((await portal.call(null, 'GET', '/tracker_places/', undefined, dario)).body).toHaveLength(20)
  const again = await portal.call(null, 'POST', '/mock/reset', { scenario: 'dog-sitter' }, { 'x-world': 'van' })
  expect(again.body).toMatchObject({ scenario: 'dog-sitter', personas: [{ key: 'anna' }] })
  const unknown = await portal.call(null, 'POST', '/mock/worlds', { scenario: 'late-ban' })
  expect(unknown.body.errors.scenario[0]).toMatch(/^“late-ban” is unknown\. Did you mean late-van\? One of family, .*dog-sitter, late-van$/)
})

test.each([
  ['mine.json', '{', /mine\.json: document: Not JSON/],
  ['mine.json', '{"format":"whereabouts world 1","places":[{"name":"Home","lat":91,"lng":0}]}', /mine\.json: places\[0\]\.lat: /],
  ['Mine.json', '{}', /Mine\.json: the file name is the name of the scenario: at most 40 small letters/],
  ['theft.json', '{}', /theft\.json: the server has a scenario theft of its own/],
  ['mine.mjs', 'export const title = "x"', /mine\.mjs: the default export must be a function/],
  ['mine.mjs', 'export default () => { throw new Error("no van today") }', /mine\.mjs: no van today/],
  ['mine.mjs', 'export const base = "nothing"\nexport default () => {}', /mine\.mjs: scenario: “nothing” is unknown\. One of family/],
  [
    'mine.mjs',
    'export default ({ world }) => world.clock.advance({ body: { by: "soon" } })',
    /mine\.mjs: POST \/mock\/clock\/advance: 400/,
  ],
])('%s with the content %s stops the start with file and reason', async (file, text, reason) => {
  await expect(load(createFolder({ [file]: text }))).rejects.toThrow(reason)
})

test('a missing folder stops the start, and so do two files of one name', async () => {
  await expect(load('/no/such/folder')).rejects.toThrow('SCENARIOS: there is no folder /no/such/folder')
  const document = '{"format":"whereabouts world 1"}'
  await expect(load(createFolder({ 'mine.json': document, 'mine.mjs': 'export default () => {}' }))).rejects.toThrow(
    /another file has the name mine/,
  )
})

test('the module in docs/testing.md runs', async () => {
  const text = listBlocks('docs/testing.md').find((block) => block.text.includes('ScenarioTools'))!.text
  const own = await load(createFolder({ 'depot.mjs': text.replace(/^import type .*$/m, '').replace(': ScenarioTools', '') }))
  expect(own.get('depot')).toMatchObject({ title: 'A van that did not report for three days', personas: ['dario'] })
})

test('a TypeScript module runs if Node supports it, and is refused with the reason otherwise', async () => {
  const folder = createFolder({ 'typed.ts': 'export const title: string = "Typed"\nexport default () => {}' })
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 22 || (major === 22 && minor >= 18)) expect((await load(folder)).get('typed')).toMatchObject({ title: 'Typed' })
  else await expect(load(folder)).rejects.toThrow(`TypeScript needs Node 22.18 or newer; this is ${process.versions.node}`)
})

test('templates of own scenarios are the same for every seed', async () => {
  const own = await load('examples/scenarios')
  const templates = createTemplates(await openTestCity(), '.cache', own)
  const first = await templates({ anchor: new Date(), seed: 7, scenario: 'late-van' })
  expect(await templates({ anchor: new Date(), seed: 8, scenario: 'late-van' })).toBe(first)
})
