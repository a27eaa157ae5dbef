/**
 * Everything that the rest of the repository takes from the checker of real backends. `levels/portal-visit.ts` is an entry of its own,
 * because it needs a browser.
 */
export { createSystemIo, type Io } from '#scripts/contracts/client/io.ts'
export { runDiff } from '#scripts/contracts/diff/diff.ts'
export { runCheck } from './check.ts'
export { runProxy } from './proxy.ts'
