import { test as base, expect } from '@playwright/test'
import { fixtures } from '#e2e/fixture/fixtures.ts'

/** Gives each test its own world; docs/testing.md lists its fixtures. */
export const test = base.extend(fixtures)
export type { TestWorld } from '#e2e/fixture/world.ts'
export { expect }
