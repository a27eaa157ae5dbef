import { test as base, expect } from '@playwright/test'
import { fixtures } from '#e2e/fixture/fixtures.ts'
import { recordRequests } from '#e2e/record-requests.ts'

const { CALLS_DIR } = process.env

const worlds = base.extend(fixtures)

/** Gives each test its own world; docs/testing.md lists its fixtures. */
export const test = CALLS_DIR ? worlds.extend<{ recorded: undefined }>(recordRequests(CALLS_DIR) as never) : worlds
export type { TestWorld } from '#e2e/fixture/world.ts'
export { expect }
