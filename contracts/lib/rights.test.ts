import { expect, test } from 'vitest'
import { api } from '#contracts/index.ts'
import { ROLES, type Role } from './constants.ts'
import { rights } from './rights.ts'
import type { Contract, Route } from './route.ts'

/** D-01 as it is written, column by column: a role that the table turns away with 403 is not in the line. */
const D_01: Record<keyof typeof rights, Record<Role, boolean>> = {
  readTrackers: { user: true, pro: true, admin: true, deepsupport: true },
  changeTrackers: { user: true, pro: true, admin: true, deepsupport: false },
  ownTrackers: { user: true, pro: false, admin: true, deepsupport: false },
  readPlaces: { user: true, pro: true, admin: true, deepsupport: true },
  changePlaces: { user: true, pro: true, admin: true, deepsupport: false },
  buy: { user: true, pro: false, admin: true, deepsupport: false },
  readOrders: { user: true, pro: false, admin: true, deepsupport: true },
  manageTeam: { user: false, pro: false, admin: true, deepsupport: false },
  ownProfile: { user: true, pro: true, admin: true, deepsupport: true },
  unlockSerial: { user: false, pro: false, admin: false, deepsupport: true },
}

test.each(Object.entries(D_01))('R-6.1 D-01 %s', (line, allowed) => {
  expect(rights[line as keyof typeof rights]).toEqual(ROLES.filter((role) => allowed[role]))
})

const routes = Object.entries(api).flatMap(([tag, contract]) =>
  Object.entries(contract as Contract).map(([name, route]) => ({ name: `${tag}.${name}`, route: route as Route })),
)

test.each(routes.filter(({ route }) => Array.isArray(route.access)))('R-6.1 $name goes by a line of D-01', ({ route }) => {
  expect(Object.values(rights).some((line) => line === route.access)).toBe(true)
})

const reading: readonly (readonly Role[])[] = [rights.readTrackers, rights.readPlaces, rights.readOrders]

test.each(routes.filter(({ route }) => route.method !== 'GET'))(
  'R-6.1 $name, which changes something, does not go by the right to read',
  ({ route }) => {
    expect(reading.some((line) => line === route.access)).toBe(false)
  },
)

const changedBySupport = routes.filter(
  ({ route }) => route.method !== 'GET' && Array.isArray(route.access) && route.access.includes('deepsupport'),
)

test('R-6.4 support changes nothing but its own profile and the lock of a serial check', () => {
  const lines = new Set(changedBySupport.map(({ route }) => route.access))
  expect([...lines].every((line) => line === rights.ownProfile || line === rights.unlockSerial)).toBe(true)
})
