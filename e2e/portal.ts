import { test as base, expect } from '@playwright/test'
import { fixtures } from '#e2e/fixture/fixtures.ts'

/** Each test in a world of its own. What it may ask of it: docs/testing.md. */
export const test = base.extend(fixtures)
export type { TestWorld } from '#e2e/fixture/world.ts'
export { expect }
