import { expect, test } from 'vitest'
import { api } from '#contracts/index.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { ROLES, type Role, rights } from './rights.ts'
import type { Contract, Route } from './route.ts'

/** The specified rights by role; a role without a right gets 403. */
const SPECIFIED: Record<keyof typeof rights, Record<Role, boolean>> = {
  readTrackers: { user: true, pro: true, admin: true, deepsupport: true },
  changeTrackers: { user: true, pro: true, admin: true, deepsupport: false },
  ownTrackers: { user: true, pro: false, admin: true, deepsupport: false },
  readPlaces: { user: true, pro: true, admin: true, deepsupport: true },
  changePlaces: { user: true, pro: true, admin: true, deepsupport: false },
  buy: { user: true, pro: false, admin: true, deepsupport: false },
  readOrders: { user: true, pro: false, admin: true, deepsupport: true },
  manageTeam: { user: false, pro: false, admin: true, deepsupport: false },
  ownProfile: { user: true, pro: true, admin: true, deepsupport: true },
  ownData: { user: true, pro: true, admin: true, deepsupport: false },
  readOwners: { user: false, pro: false, admin: false, deepsupport: true },
  unlockSerial: { user: false, pro: false, admin: false, deepsupport: true },
}

test('R-6.1 every right is granted to exactly the specified roles', async () => {
  expect(
    await collectFailures(
      Object.entries(SPECIFIED),
      ([right]) => right,
      ([line, allowed]) => {
        expect(rights[line as keyof typeof rights]).toEqual(ROLES.filter((role) => allowed[role]))
      },
    ),
  ).toEqual([])
})

const routes = Object.entries(api).flatMap(([tag, contract]) =>
  Object.entries(contract as Contract).map(([name, route]) => ({ name: `${tag}.${name}`, route: route as Route })),
)

test('R-6.1 every endpoint for signed-in users requires one of the rights', async () => {
  expect(
    await collectFailures(
      routes.filter(({ route }) => Array.isArray(route.access)),
      ({ name }) => name,
      ({ route }) => {
        expect(Object.values(rights).some((line) => line === route.access)).toBe(true)
      },
    ),
  ).toEqual([])
})

const reading: readonly (readonly Role[])[] = [rights.readTrackers, rights.readPlaces, rights.readOrders]

test('R-6.1 no endpoint that changes data requires only a right to read', async () => {
  expect(
    await collectFailures(
      routes.filter(({ route }) => route.method !== 'GET'),
      ({ name }) => name,
      ({ route }) => {
        expect(reading.some((line) => line === route.access)).toBe(false)
      },
    ),
  ).toEqual([])
})

const changedBySupport = routes.filter(
  ({ route }) => route.method !== 'GET' && Array.isArray(route.access) && route.access.includes('deepsupport'),
)

test('R-6.4 support can change only its own profile and the lock of a serial check', () => {
  const lines = new Set(changedBySupport.map(({ route }) => route.access))
  expect([...lines].every((line) => line === rights.ownProfile || line === rights.unlockSerial)).toBe(true)
})
