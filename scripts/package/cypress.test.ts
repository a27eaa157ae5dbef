import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach as afterEachTest, expect, test, vi } from 'vitest'
import { runTool } from '#scripts/check/tools.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { listBlocks } from '#server/test/test-guide.ts'
import { addWorldCommands, addWorldTasks } from './cypress.ts'

type Task = ReturnType<typeof import('./cypress.ts').createTasks>['whereabouts']
type Command = (...args: unknown[]) => PromiseLike<unknown>

afterEachTest(() => vi.unstubAllGlobals())

/** A Cypress without a browser: its chains are promises, its tasks use JSON, and `visits` lists what a browser would open. */
async function startCypress() {
  const portal = await startPortal()
  const server = await portal.app.listen({ port: 0, host: '127.0.0.1' })
  const tasks: Record<string, Task> = {}
  const config = { baseUrl: server, env: {} }
  expect(addWorldTasks((_, registered) => Object.assign(tasks, registered), config)).toBe(config)
  const visits: { url: string; stored: Record<string, string> }[] = []
  const page = { time: 0, href: '' }
  const clock = { setSystemTime: (time: number) => void Object.assign(page, { time }) }
  const chain = <T>(value: PromiseLike<T>) => {
    const promise = Promise.resolve(value)
    return Object.assign(promise, {
      should: (_: string, pattern: RegExp) => {
        expect(page.href).toMatch(pattern)
        return chain(promise)
      },
      invoke: (name: string, ...args: unknown[]) =>
        chain(promise.then((object) => (object as Record<string, (...all: unknown[]) => unknown>)[name]!(...args))),
    })
  }
  const cy: Record<string, (...args: never[]) => unknown> = {
    task: (name: string, input: object) =>
      chain(tasks[name]!(JSON.parse(JSON.stringify(input))).then((answer) => JSON.parse(JSON.stringify(answer)))),
    visit(url: string, options?: { onBeforeLoad(page: object): void }) {
      const stored: Record<string, string> = {}
      options?.onBeforeLoad({
        sessionStorage: { clear() {} },
        localStorage: { setItem: (name: string, value: string) => void Object.assign(stored, { [name]: value }) },
      })
      visits.push({ url, stored })
      return chain(Promise.resolve())
    },
    clock(now?: number) {
      if (now !== undefined) page.time = now
      return chain(Promise.resolve(clock))
    },
    location: () => chain(Promise.resolve(page.href)),
  }
  const commands: Record<string, Command> = {}
  const hooks: (() => unknown)[] = []
  vi.stubGlobal('cy', cy)
  vi.stubGlobal('afterEach', (hook: () => unknown) => hooks.push(hook))
  vi.stubGlobal('Cypress', { Commands: { add: (name: string, command: Command) => Object.assign(commands, { [name]: command }) } })
  addWorldCommands()
  return {
    portal,
    visits,
    page,
    run: (name: string, ...args: unknown[]): Promise<never> => Promise.resolve(commands[name]!(...args)) as Promise<never>,
    commands: () => Object.keys(commands),
    async end() {
      for (const hook of hooks) await hook()
    },
    [Symbol.asyncDispose]: () => portal[Symbol.asyncDispose](),
  }
}

test('a world of a Cypress test moves in time together with the page, sends mails, takes faults and ends with the test', async () => {
  await using at = await startCypress()
  const { id, origin, personas } = await at.run('world', { scenario: 'expiring' })
  expect(new Date(at.page.time).toISOString()).toBe('2026-03-02T09:00:00.000Z')
  await at.run('visitWorld', '/places', 'alice')
  expect(at.visits).toEqual([
    {
      url: `${origin}/places`,
      stored: { token: (personas as { key: string; token: string }[]).find(({ key }) => key === 'alice')!.token },
    },
  ])
  expect(await at.run('advanceWorld', 'PT1H')).toMatchObject({ to: '2026-03-02T10:00:00Z' })
  expect(new Date(at.page.time).toISOString()).toBe('2026-03-02T10:00:00.000Z')
  await at.run('advanceWorldUntil', 'subscription_end')
  await at.run('setWorldClock', { at: '2026-03-10T00:00:00Z' })
  expect(new Date(at.page.time).toISOString()).toBe('2026-03-10T00:00:00.000Z')
  expect(await at.run('worldApi', 'alice', 'users.me')).toMatchObject({ email: 'alice@example.com' })
  await at.run('worldApi', null, 'sessions.requestReset', { body: { email: 'alice@example.com' } })
  expect(await at.run('mailLink', 'alice@example.com', 'password_reset')).toContain('reset')
  expect(await at.run('worldMail', { to: 'alice@example.com' })).toMatchObject({ message: { template: 'password_reset' } })
  expect(await at.run('control', 'clock.read')).toMatchObject({ mode: 'frozen' })
  await at.run('worldFault', { effect: 'status', status: 503, match: { route: 'places.list' } })
  await expect(at.run('worldApi', 'alice', 'places.list')).rejects.toThrow(/GET \/tracker_places\/: 503/)
  expect(() => at.run('worldApi', 'nobody', 'places.list')).toThrow('has no persona nobody')
  expect(at.portal.worlds.get(id)).toBeDefined()
  await at.end()
  expect(at.portal.worlds.get(id)).toBeUndefined()
  expect(() => at.run('advanceWorld', 'PT1H')).toThrow('call cy.world() first')
})

test('a Cypress test in whose world the contract was broken fails, unless that is allowed', async () => {
  await using at = await startCypress()
  const breakContract = async (options: object) => {
    await at.run('world', options)
    await at.run('worldFault', { effect: 'respond', match: { route: 'places.list' }, body: [{ id: 1 }] })
    await at.run('worldApi', 'alice', 'places.list').catch(() => undefined)
  }
  await breakContract({ violations: 'allowed' })
  await at.end()
  await breakContract({})
  await expect(at.end()).rejects.toThrow(/The contract of the API is broken:\n {2}request \d+, GET \/tracker_places\/ \(200\)/)
})

test('the checkout that the page shows is paid with a test card, and the page visits the result', async () => {
  await using at = await startCypress()
  const { id } = await at.run('world')
  const items = [{ device: 2, price: 'eur-12m-once' }]
  const { id: session } = await at.run('worldApi', 'alice', 'subscriptions.pay', { body: { items } })
  at.page.href = `http://w-${id}.localhost:8080/checkout/${session}?locale=en`
  expect(await at.run('payCheckout', 'declined')).toMatchObject({ outcome: 'refused' })
  expect(await at.run('payCheckout', 'success')).toMatchObject({ outcome: 'paid' })
  expect(at.visits.map(({ url }) => url)).toEqual(
    ['?fault=declined', ''].map((end) => `http://w-${id}.localhost:8080/checkout/${session}${end}`),
  )
})

/** The part of Cypress that the example uses; Cypress's own types are not part of this project. */
const CYPRESS_TYPES = `
declare namespace Cypress {
  interface Chainable<Subject> {
    contains(selector: string, text?: string): Chainable<unknown>
    should(matcher: string, ...values: unknown[]): Chainable<Subject>
    its(path: string): Chainable<unknown>
    get(selector: string): Chainable<unknown>
    click(): Chainable<unknown>
    type(text: string): Chainable<unknown>
    reload(): Chainable<unknown>
    then<U>(next: (value: Subject) => U): Chainable<U>
  }
}
declare const cy: Cypress.Chainable<undefined>
declare const it: (name: string, test: () => void) => void
declare const expect: (value: unknown) => { to: { match(pattern: RegExp): void } }
declare module 'cypress' {
  type Config = { baseUrl?: string | null; env?: Record<string, unknown> }
  type Tasks = Record<string, (input: never) => unknown>
  type On = (action: 'task', tasks: Tasks) => void
  export function defineConfig(config: { hosts: Record<string, string>; e2e: { baseUrl: string; setupNodeEvents(on: On, config: Config): Config } }): unknown
}
`

test('the types of the Cypress example are correct', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'cypress-'))
  mkdirSync(path.join(folder, 'types'))
  writeFileSync(path.join(folder, 'types/cypress.d.ts'), CYPRESS_TYPES)
  const config = {
    extends: path.resolve('examples/cypress/tsconfig.json'),
    compilerOptions: {
      types: ['node'],
      typeRoots: [path.resolve('node_modules/@types')],
      allowImportingTsExtensions: true,
      paths: { 'whereabouts/cypress': [path.resolve('scripts/package/cypress.ts')] },
    },
    include: [path.resolve('examples/cypress/cypress'), path.resolve('examples/cypress/cypress.config.ts'), 'types'],
  }
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config))
  const { output } = await runTool('tsc', ['-p', folder])
  rmSync(folder, { recursive: true })
  expect(output).toBe('')
})

test('docs/testing.md shows Cypress as it stands in the example, and names every command', async () => {
  await using at = await startCypress()
  const files = ['cypress.config.ts', 'cypress/support/e2e.ts', 'cypress/e2e/worlds.cy.ts'].map((file) =>
    readFileSync(`examples/cypress/${file}`, 'utf8'),
  )
  const shown = listBlocks('docs/testing.md').filter(({ text }) => /cy\.|defineConfig|addWorldCommands/.test(text))
  expect(shown).toHaveLength(3)
  expect(shown.filter(({ text }) => !files.some((file) => file.includes(text)))).toEqual([])
  const guide = readFileSync('docs/testing.md', 'utf8')
  expect(at.commands().filter((name) => !guide.includes(`cy.${name}(`))).toEqual([])
})
