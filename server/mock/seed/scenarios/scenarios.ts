import { eq, isNotNull } from 'drizzle-orm'
import type { ScenarioKey } from '#contracts/mock/scenarios.ts'
import type { Tx } from '#db/db.ts'
import { factorChallenges, passkeys, recoveryCodes, totpSecrets } from '#db/schema/factors.ts'
import { invalidField } from '#server/lib/errors.ts'
import { getPersona, PERSONAS } from '#server/mock/seed/records/personas.ts'
import { SEED_FACTOR, sealSeedSecret } from '#server/mock/seed/records/second-factor.ts'
import { alarms, billingTrouble, expiring, sct2, theft } from './arranged-scenarios.ts'
import { crowd } from './crowd.ts'
import { edge } from './edge.ts'
import type { Scenario } from './scenario.ts'
import { shop } from './shop.ts'

/** Gives alice the seeded second factor, and ends the open challenges. */
async function giveFactors(tx: Tx) {
  const { id } = getPersona('alice')
  const secret = sealSeedSecret(SEED_FACTOR.secret, id)
  await tx.update(totpSecrets).set({ userId: id, secret }).where(eq(totpSecrets.userId, SEED_FACTOR.owner))
  await tx.update(recoveryCodes).set({ userId: id })
  await tx.update(passkeys).set({ userId: id })
  await tx.delete(factorChallenges).where(isNotNull(factorChallenges.hash))
}

const family: Scenario = {
  title: 'Everybody and everything: all personas with all their trackers',
  covers: ['1', '2', '3', '4', '5', '6', '7', '8', '9'],
  routes: [
    '/',
    '/map',
    '/trackers',
    '/trackers/:id',
    '/trackers/:id/history',
    '/trackers/:id/months',
    '/trackers/:id/settings',
    '/places',
    '/places/new',
    '/places/import',
    '/places/:id',
    '/alerts',
    '/alerts/new',
    '/alerts/fired',
    '/alerts/:id',
    '/contacts',
    '/tags',
    '/orders',
    '/orders/:reference',
    '/invoices',
    '/payment_methods',
    '/subscriptionSelector',
    '/subscription',
    '/account',
    '/account/preferences',
    '/account/password',
    '/account/app',
    '/account/:pageVersion',
    '/account/security',
    '/account_delete',
    '/account_profil_update',
    '/logout',
    '/verify_auth',
  ],
  cast: PERSONAS.map(({ key }) => key),
}

const empty: Scenario = {
  title: 'A new account without anything in it',
  covers: ['2', '3'],
  routes: [
    '/',
    '/trackers',
    '/places',
    '/alerts',
    '/contacts',
    '/tags',
    '/public_links',
    '/orders',
    '/invoices',
    '/payment_methods',
    '/start_track_app',
    '/start_sdc_app',
    '/install_restart',
    '/install_quit',
    '/main',
    '/contact_us',
    '/deep-link',
    '/app/native/findmy',
    '/app/native/rtb',
    '/app/native/*',
    '/exit',
    '/legal/:name',
    '/error',
    '*',
  ],
  cast: ['dario'],
}

const pro: Scenario = {
  title: 'The team of a company: administrator, members, an invitation, and support',
  covers: ['2', '6'],
  routes: ['/administration/users', '/operators/helium/', '/network_activate', '/'],
  cast: ['admin', 'member', 'support'],
}

const linkCode: Scenario = {
  title: 'A subscription bought elsewhere is linked by the code of an e-mail: one that is good, one used, one of nothing',
  covers: ['4', '5', '8'],
  routes: ['/link_subscription', '/link_subscription_success'],
  cast: ['alice'],
  trackers: ['kitchen', 'familyCar'],
}

const linksMax: Scenario = {
  title: 'A tracker with as many public links as it may have, of every kind',
  covers: ['2', '5', '9'],
  routes: ['/public_links', '/app/public_links', '/pub/trackers'],
  cast: ['alice'],
  trackers: ['cityBike', 'rex'],
}

const conflict: Scenario = {
  title: 'Trackers to add: new ones, and some that are on another account, one step further each',
  covers: ['2', '4', '8'],
  routes: ['/trackers/add', '/conflicting', '/conflicting-unlink', '/conflicting-security', '/conflicting-serial', '/conflicting-fail'],
  cast: ['dario', 'victor', 'bruno'],
}

const unconfirmed: Scenario = {
  title: 'Addresses to confirm and to change, passwords to set: keys that are good, out of time and used',
  covers: ['2', '4', '8'],
  routes: [
    '/login',
    '/signup',
    '/account_email',
    '/account_email_sent',
    '/account_confirmation',
    '/account_email_update',
    '/account_email_update_complete',
  ],
  cast: ['chloe', 'george', 'zoe', 'taken', 'admin'],
}

const secondFactorScenario: Scenario = {
  title: 'An account with a second factor: codes of an app, a passkey and ten recovery codes',
  covers: ['2', '4'],
  routes: ['/login', '/account'],
  cast: ['alice'],
  trackers: ['rex', 'familyCar'],
  arrange: ({ tx }) => giveFactors(tx),
}

export const SCENARIOS: Record<ScenarioKey, Scenario> = {
  family,
  empty,
  theft,
  sct2,
  pro,
  billing_trouble: billingTrouble,
  expiring,
  link_code: linkCode,
  unconfirmed,
  conflict,
  links_max: linksMax,
  second_factor: secondFactorScenario,
  alarms,
  shop,
  crowd,
  edge,
}

/** A scenario of the server; undefined for one of the user's folder. */
export const findScenario = (key: string): Scenario | undefined =>
  Object.hasOwn(SCENARIOS, key) ? SCENARIOS[key as ScenarioKey] : undefined

export const listCast = (key: string) =>
  (findScenario(key)?.cast ?? []).flatMap((name) => PERSONAS.filter((persona) => persona.key === name))

/** The number of trackers of a world: the default of its scenario, or the one requested. Throws for a scenario whose trackers are fixed. */
export function resolveSize(key: string, requested?: number) {
  const size = findScenario(key)?.size
  if (requested !== undefined && size === undefined) throw invalidField('size', `The scenario ${key} has no size`)
  return requested ?? size
}
