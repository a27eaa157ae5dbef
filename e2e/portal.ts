import { test as base, expect, type Page } from '@playwright/test'

type Persona = { key: string; email: string; password: string; token: string }

/** A world of the test's own: its database, its clock, its people. */
export type TestWorld = {
  id: string
  origin: string
  persona(key: string): Persona
  /** Moves the world's clock and the page's by an ISO 8601 duration. */
  advance(by: string): Promise<void>
  /** A call to the API of this world. */
  call(method: string, path: string, options?: { as?: string; body?: unknown }): Promise<unknown>
}

type Fixtures = {
  world: TestWorld
  /** Signs a person in without the form and opens a path. */
  open(path: string, persona?: string): Promise<void>
}

let count = 0

export const test = base.extend<Fixtures>({
  world: async ({ page, request, baseURL }, use, info) => {
    const id = `t${info.workerIndex}-${count++}`
    const call: TestWorld['call'] = async (method, path, { as, body } = {}) => {
      const headers = { 'x-world': id, ...(as && { authorization: `Bearer ${persona(as).token}` }) }
      const answer = await request.fetch(`${baseURL}${path}`, { method, headers, ...(body !== undefined && { data: body }) })
      return answer.json()
    }
    const made = await request.post(`${baseURL}/mock/worlds`, { data: { id } })
    expect(made.status()).toBe(201)
    const { base_url, personas, clock } = (await made.json()) as { base_url: string; personas: Persona[]; clock: { now: string } }
    const persona = (key: string) => personas.find((each) => each.key === key)!
    await page.clock.setFixedTime(clock.now)
    await use({
      id,
      origin: base_url,
      persona,
      call,
      async advance(by) {
        const { to } = (await call('POST', '/mock/clock/advance', { body: { by } })) as { to: string }
        await page.clock.setFixedTime(to)
      },
    })
  },
  open: async ({ page, world }, use) => {
    await use(async (path, persona) => {
      const url = new URL(path, world.origin)
      if (persona) url.searchParams.set('token', world.persona(persona).token)
      await page.goto(url.href)
    })
  },
})

type Mail = { id: number; template: string; links: string[] }

/** Where the link of the newest mail of a kind to an address leads, within the portal. */
export async function linkTo(world: TestWorld, to: string, template: string) {
  const mails = (await world.call('GET', `/mock/mail?to=${to}`)) as Mail[]
  const { links } = (await world.call('GET', `/mock/mail/${mails.find((mail) => mail.template === template)!.id}/`)) as Mail
  const { pathname, search } = new URL(links[0]!)
  return pathname + search
}

/** Fails the test when the page asks another host for anything. */
export function forbidOtherHosts(page: Page, origin: string) {
  const asked: string[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.protocol.startsWith('http') && url.origin !== origin) asked.push(request.url())
  })
  return () => expect(asked).toEqual([])
}

export { expect }
