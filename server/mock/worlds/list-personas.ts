import { DEMO_PASSWORD, type Persona } from '#server/mock/seed/records/personas.ts'
import { findScenario, listCast } from '#server/mock/seed/scenarios/scenarios.ts'
import type { MockWorld } from './world.ts'

const PEOPLE = `
  select id, account_id accountId, email, role, first_name firstName, last_name lastName, language, currency,
    email_confirmed emailConfirmed, birth_date birthDate, time_zone timeZone
  from users where password_hash is not null order by id`

/** The cast of the scenario of a world; of a scenario that is not the server's, everybody with a password, named by the e-mail. */
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
