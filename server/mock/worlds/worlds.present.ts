import type { Contract } from '#contracts/lib/route.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import { DEMO_PASSWORD, type Persona } from '#server/mock/seed/records/personas.ts'
import { findScenario, listCast } from '#server/mock/seed/scenarios/scenarios.ts'
import type { MockWorld } from './world.ts'
import { createSessions } from './worlds.store.ts'
import type { MockWorlds } from './worlds.ts'

export const presentClock = ({ clock }: MockWorld) => ({ ...clock.state(), now: formatInstant(clock.now()) })

export function presentWorld(all: MockWorlds, world: MockWorld) {
  const { id, origin, scenario, size, seed, storage, graceDays, asksContacts, claims } = world
  const end = all.expiryOf(id)
  const enter_url = `${all.get('main')?.origin ?? origin}/mock/enter/${id}`
  return {
    id,
    base_url: origin,
    enter_url,
    scenario,
    size,
    seed,
    storage,
    grace_days: graceDays,
    contact_consent: asksContacts ? ('asked' as const) : ('presumed' as const),
    claims: claims.isStockOnly ? ('stock' as const) : ('any' as const),
    clock: presentClock(world),
    expires_at: end && formatInstant(end),
  }
}

/** Creates a session for every persona that still exists and presents the world with their tokens. */
export async function signInPersonas(all: MockWorlds, world: MockWorld) {
  const cast = listPersonas(world)
  const sessions = await createSessions(
    world,
    cast.map(({ id }) => id),
  )
  const personas = cast.flatMap(({ id, key, email, password, role }) => {
    const token = sessions.get(id)
    return token === undefined ? [] : [{ key, email, password, role, token }]
  })
  return { ...presentWorld(all, world), personas }
}

/** The paths of the control plane's lists, by the name of their contract. */
export const buildControlLinks = (contracts: Record<string, Contract>) =>
  Object.fromEntries([
    ...Object.entries(contracts).flatMap(([noun, contract]) =>
      Object.entries(contract).flatMap(([name, { method, path }]) =>
        method === 'GET' && !path.includes(':') ? [[`${noun}.${name}`, path] as const] : [],
      ),
    ),
    ['mailbox', '/mock/mailbox'],
    ['docs', '/docs'],
    ['control_docs', '/mock/docs'],
    ['openapi', '/mock/openapi.json'],
  ])

const PEOPLE = `
  select id, account_id accountId, email, role, first_name firstName, last_name lastName, language, currency,
    email_confirmed emailConfirmed, birth_date birthDate, time_zone timeZone
  from users where password_hash is not null order by id`

/** The personas of a world's scenario; for a scenario outside the server's, every user with a password, named by the e-mail. */
export function listPersonas({ scenario, db }: Pick<MockWorld, 'scenario' | 'db'>): Persona[] {
  if (findScenario(scenario)) return listCast(scenario)
  const people = db.rawRead.prepare(PEOPLE).all() as Omit<Persona, 'key' | 'password'>[]
  const nameOf = ({ email }: { email: string }) => email.split('@')[0]!
  return people.map((person) => ({
    ...person,
    emailConfirmed: Boolean(person.emailConfirmed),
    key: people.filter((other) => nameOf(other) === nameOf(person)).length > 1 ? person.email : nameOf(person),
    password: DEMO_PASSWORD,
  }))
}
