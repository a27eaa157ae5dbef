import { test as base } from 'vitest'
import { fixtures, type WorldFixtures } from 'whereabouts/vitest'

export const test = base.extend<WorldFixtures>(fixtures)
