import { expect, test } from 'vitest'
import { findBoundaryProblem } from './separable.ts'

test('a separable part takes what it needs of the repository through its port only', () => {
  const to = 'contracts/rules/price.ts'
  expect(findBoundaryProblem({ from: 'server/mock/stripe/pages/page.ts', to })).toContain('export from server/mock/stripe/port.ts')
  expect(findBoundaryProblem({ from: 'server/mock/stripe/index.ts', to: 'locales/en/mail.json' })).toBeDefined()
  expect(findBoundaryProblem({ from: 'server/mock/stripe/port.ts', to })).toBeUndefined()
  expect(findBoundaryProblem({ from: 'server/mock/stripe/pages/page.test.ts', to })).toBeUndefined()
  expect(findBoundaryProblem({ from: 'server/mock/stripe/pages/page.ts', to: 'server/mock/stripe/port.ts' })).toBeUndefined()
  expect(findBoundaryProblem({ from: 'server/mock/stripe/pages/page.ts', to: 'fastify' })).toBeUndefined()
})

test('the repository, its tests included, imports a separable part through its entries only', () => {
  for (const from of ['server/mock/worlds/world.ts', 'server/billing/sync/webhook.test.ts', 'server/mock/city/lookup/search.ts']) {
    expect(findBoundaryProblem({ from, to: 'server/mock/stripe/webhooks.ts' })).toContain('through server/mock/stripe/index.ts')
    expect(findBoundaryProblem({ from, to: 'server/mock/stripe/port.ts' })).toBeDefined()
  }
  expect(findBoundaryProblem({ from: 'server/mock/worlds/world.ts', to: 'server/mock/stripe/index.ts' })).toBeUndefined()
  expect(findBoundaryProblem({ from: 'scripts/build/city.ts', to: 'server/mock/city/build/build-city.ts' })).toBeUndefined()
})
