import { test as base, expect } from '@playwright/test'
import { browserFixtures, worldFixtures } from '#e2e/fixture/fixtures.ts'
import { recordRequests } from '#e2e/record-requests.ts'

/** For tests without a world: they share the browsers of those with one, so no worker has to start again between them. */
export const withoutWorld = recordRequests(base.extend(browserFixtures))

/** Gives each test its own world; docs/testing.md lists its fixtures. */
export const test = withoutWorld.extend(worldFixtures)
export type { TestWorld } from '#e2e/fixture/world.ts'
export { expect }
