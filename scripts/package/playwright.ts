export { fixtures } from '#e2e/fixture/fixtures.ts'
export { expect, type TestWorld, test } from '#e2e/portal.ts'
