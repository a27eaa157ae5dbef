import { expect, test } from 'vitest'
import { SCENARIOS } from '#server/mock/seed/scenarios/scenarios.ts'
import { routes } from '#web/app/routes.tsx'

test('the scenarios cover every screen and contain no unknown one', () => {
  const reached = new Set(Object.values(SCENARIOS).flatMap((scenario) => scenario.routes))
  // A page for developers shows nothing of a world.
  const paths = new Set(routes.filter((row) => !('isForDevelopers' in row)).map(({ path }) => path))
  expect([...paths].filter((path) => !reached.has(path))).toEqual([])
  expect([...reached].filter((path) => !paths.has(path))).toEqual([])
})
