import { api } from '#contracts/index.ts'
import type { BodyOf, Contract } from '#contracts/lib/route.ts'
import { type Clients, connect, RequestFailed } from '#contracts/mock/connect.ts'
import { control } from '#contracts/mock/index.ts'
import type { Violation } from '#contracts/mock/requests.ts'

type Table = Record<string, Contract>
/** Name of a call, such as `sim.position`. */
export type CallName<T extends Table> = { [Noun in keyof T & string]: `${Noun}.${keyof T[Noun] & string}` }[keyof T & string]
type CallOf<T extends Table, Name> = Name extends `${infer Noun}.${infer Verb}`
  ? Noun extends keyof T
    ? Verb extends keyof Clients<T>[Noun]
      ? Clients<T>[Noun][Verb]
      : never
    : never
  : never
type InputOf<T extends Table, Name> = CallOf<T, Name> extends (...args: infer Args) => unknown ? Args[0] : never
type AnswerOf<T extends Table, Name> = CallOf<T, Name> extends (...args: never[]) => Promise<infer Answer> ? Answer : never

type Control = typeof control
type Api = typeof api
type OpenedWorld = BodyOf<Control['worlds']['create']>
type ClockInput = InputOf<Control, 'clock.put'>['body']
type Leap = AnswerOf<Control, 'clock.advance'>
type MailInput = InputOf<Control, 'mail.wait'>['body']

/** The world of a test. */
export type CypressWorld = Pick<OpenedWorld, 'id' | 'scenario' | 'personas'> & {
  /** Origin for the browser. */
  origin: string
}

export type WorldOptions = Omit<InputOf<Control, 'worlds.create'>['body'], 'id' | 'storage' | 'clock'> & {
  /** Allow violations in a test of a backend that breaks its contract. */
  violations?: 'forbidden' | 'allowed'
}

declare global {
  namespace Cypress {
    interface Chainable<Subject> {
      /** Creates the world of the test, sets the page to its time, and removes it after the test. */
      world(options?: WorldOptions): Chainable<CypressWorld>
      /** Visits a path of the world, or a link of a mail, signed in as a persona if one is given. */
      visitWorld(path: string, persona?: string): Chainable<unknown>
      /** Sends a call of the control plane to the world. */
      control<Name extends CallName<Control>>(call: Name, input?: InputOf<Control, Name>): Chainable<AnswerOf<Control, Name>>
      /** Sends a call of the documented API as a persona, or without a session for null. */
      worldApi<Name extends CallName<Api>>(persona: string | null, call: Name, input?: InputOf<Api, Name>): Chainable<AnswerOf<Api, Name>>
      /** Moves the world and the page by an ISO 8601 duration such as `P3D`. */
      advanceWorld(by: string): Chainable<Leap>
      /** Moves the world and the page to the next event of a kind, such as `subscription_end`. */
      advanceWorldUntil(event: InputOf<Control, 'clock.until'>['body']['event']): Chainable<Leap>
      /** Sets the clock of the world, and the page to its time. */
      setWorldClock(setting: ClockInput): Chainable<AnswerOf<Control, 'clock.put'>>
      /** Waits for a mail, and yields it with its links and codes. */
      worldMail(match: MailInput): Chainable<AnswerOf<Control, 'mail.wait'>>
      /** Waits for a mail, and yields its first link. */
      mailLink(to: string, template: NonNullable<MailInput['template']>): Chainable<string>
      /** Makes matching requests fail, wait, hang or return something else. */
      worldFault(fault: InputOf<Control, 'faults.create'>['body']): Chainable<AnswerOf<Control, 'faults.create'>>
      /** Pays the checkout that the page shows with a test card, and visits the result. */
      payCheckout(card: InputOf<Control, 'payments.complete'>['body']['card']): Chainable<AnswerOf<Control, 'payments.complete'>>
    }
  }
}

type TaskInput = { table: 'control' | 'api'; world?: string | undefined; token?: string | undefined; call: string; input?: unknown }
type Send = (input: unknown) => Promise<unknown>

const TASK = 'whereabouts'

/** The tasks that the commands use. They run in Node, where requests need no permission of another origin. */
export const createTasks = ({ server, token: controlToken }: { server: string; token?: string | undefined }) => ({
  async [TASK]({ table, world, token = table === 'control' ? controlToken : undefined, call, input }: TaskInput) {
    const [noun = '', verb = ''] = call.split('.')
    const clients = connect<Table>(table === 'control' ? control : api, { base: server, world, token }) as Record<
      string,
      Record<string, Send>
    >
    const send = clients[noun]?.[verb]
    if (!send) throw new Error(`There is no call ${call}`)
    const answer = await send(input ?? {}).catch((error: Error) => {
      throw error instanceof RequestFailed ? new Error(`${error.message} ${JSON.stringify(error.answer ?? '')}`) : error
    })
    // Tasks return JSON, never undefined.
    return answer instanceof Uint8Array ? new TextDecoder().decode(answer) : (answer ?? null)
  },
})

type NodeConfig = { baseUrl?: string | null; env?: Record<string, unknown> }
type OnTask = (event: 'task', tasks: ReturnType<typeof createTasks>) => void

/**
 * Registers the tasks in `setupNodeEvents`, and returns the configuration. The server is `env.WHEREABOUTS_URL` of the configuration or of the
 * process, else `baseUrl`.
 */
export function addWorldTasks<Config extends NodeConfig>(on: (...args: Parameters<OnTask>) => void, config: Config): Config {
  const server = String(config.env?.WHEREABOUTS_URL ?? process.env.WHEREABOUTS_URL ?? config.baseUrl ?? 'http://localhost:8080')
  on('task', createTasks({ server, token: process.env.CONTROL_TOKEN }))
  return config
}

/** The part of Cypress that the commands use; the package is built without Cypress's types. */
type Chain<T> = {
  then<U>(next: (value: T) => U): Chain<U extends Chain<infer Inner> ? Inner : U>
  should(matcher: string, value: unknown): Chain<T>
  invoke(name: string, ...args: unknown[]): Chain<unknown>
}
type Commands = {
  task(name: string, input: unknown, options: object): Chain<unknown>
  visit(url: string, options?: { onBeforeLoad(page: Window): void }): Chain<unknown>
  clock(now?: number, functions?: string[], options?: object): Chain<unknown>
  location(part: string): Chain<string>
  log(message: string): Chain<unknown>
}
type Globals = {
  cy: Commands
  Cypress: { Commands: { add(name: string, command: (...args: never[]) => unknown): void } }
  afterEach(hook: () => unknown): void
}

type State = CypressWorld & { sessions: Map<string, string>; violations: 'forbidden' | 'allowed' }

const LONGER_THAN_ANY_WAIT = 65_000

/** Adds the commands; call it once in the support file. */
export function addWorldCommands() {
  const { cy, Cypress, afterEach } = globalThis as unknown as Globals
  let current: State | undefined

  const getWorld = () => {
    if (!current) throw new Error('This test has no world yet: call cy.world() first')
    return current
  }
  const sendTo = (input: TaskInput) => cy.task(TASK, input, { log: false, timeout: LONGER_THAN_ANY_WAIT })
  const send = <Name extends CallName<Control>>(call: Name, input?: InputOf<Control, Name>, world = getWorld().id) =>
    sendTo({ table: 'control', world, call, input }) as Chain<AnswerOf<Control, Name>>
  /** Only the date of the page is frozen; its timers run. */
  const followClock = () => send('clock.read').then(({ now }) => cy.clock().invoke('setSystemTime', Date.parse(now)))
  const moved = <T>(leap: Chain<T>) => leap.then((result) => followClock().then(() => result))
  const findPersona = (key: string) => {
    const { personas, scenario } = getWorld()
    const found = personas.find((each) => each.key === key)
    if (!found) throw new Error(`The scenario ${scenario} has no persona ${key}; it has ${personas.map((each) => each.key).join(', ')}`)
    return found
  }
  const tokenOf = (key: string) => getWorld().sessions.get(findPersona(key).key)

  const commands = {
    world({ violations = 'forbidden', ...body }: WorldOptions = {}) {
      const create = { table: 'control', call: 'worlds.create', input: { body } } as const
      return (sendTo(create) as Chain<OpenedWorld>).then(({ id, base_url: origin, scenario, personas, clock }) => {
        current = { id, origin, scenario, personas, violations, sessions: new Map(personas.map(({ key, token }) => [key, token])) }
        return cy.clock(Date.parse(clock.now), ['Date'], { log: false }).then(() => ({ id, origin, scenario, personas }))
      })
    },
    visitWorld(path: string, persona?: string) {
      const { origin } = getWorld()
      const token = persona && tokenOf(persona)
      const onBeforeLoad = ({ localStorage, sessionStorage }: Window) => {
        if (!token) return
        sessionStorage.clear()
        localStorage.setItem('token', token)
      }
      return cy.visit(new URL(path, origin).href, { onBeforeLoad })
    },
    control: send,
    worldApi: (persona: string | null, call: string, input?: unknown) =>
      sendTo({ table: 'api', world: getWorld().id, token: persona === null ? undefined : tokenOf(persona), call, input }),
    advanceWorld: (by: string) => moved(send('clock.advance', { body: { by } })),
    advanceWorldUntil: (event: InputOf<Control, 'clock.until'>['body']['event']) => moved(send('clock.until', { body: { event } })),
    setWorldClock: (body: ClockInput) => moved(send('clock.put', { body })),
    worldMail: (body: MailInput) => send('mail.wait', { body }),
    mailLink: (to: string, template: MailInput['template']) =>
      send('mail.wait', { body: { to, template } }).then(({ links }) => {
        if (!links[0]) throw new Error(`The mail ${template} to ${to} contains no link`)
        return links[0]
      }),
    worldFault: (body: InputOf<Control, 'faults.create'>['body']) => send('faults.create', { body }),
    payCheckout: (card: InputOf<Control, 'payments.complete'>['body']['card']) =>
      cy
        .location('href')
        .should('match', /\/checkout\/[^/?]+/)
        .then((href) => {
          const [address = '', id = ''] = /^.*\/checkout\/([^/?#]+)/.exec(href) ?? []
          return send('payments.complete', { params: { id }, body: { card } }).then((charge) =>
            cy.visit(charge.fault === null ? address : `${address}?fault=${charge.fault}`).then(() => charge),
          )
        }),
  }
  for (const [name, command] of Object.entries(commands)) Cypress.Commands.add(name, command)

  afterEach(() => {
    if (!current) return undefined
    const { id, violations: allowed } = current
    send('faults.unused').then((unused) => {
      for (const { words, notes } of unused) cy.log(`A fault had no effect. ${words}: ${notes.join('; ')}`)
    })
    return send('violations.list').then((violations) =>
      send('worlds.remove', { params: { id } }).then(() => {
        current = undefined
        if (allowed === 'forbidden' && violations.length > 0) throw new Error(describeViolations(violations))
      }),
    )
  })
}

const describeViolations = (violations: readonly Violation[]) =>
  [
    'The contract of the API is broken:',
    ...violations.map(
      ({ id, method, url, status, side, path, message }) => `request ${id}, ${method} ${url} (${status}): ${side} ${path}: ${message}`,
    ),
  ].join('\n  ')
