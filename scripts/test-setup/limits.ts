import { availableParallelism, loadavg } from 'node:os'

/** A busy machine is slow, not wrong. `npm test` says that it keeps the machine busy (`scripts/test/steps.ts`). */
const isBusy = () => process.env.CI !== undefined || (loadavg()[0] ?? 0) > availableParallelism()

process.env.TEST_LIMITS ??= isBusy() ? 'minutes' : 'seconds'

/** How long tests wait, in milliseconds: `element` is how long a screen may take to show what a test looks for. Slow tests have their own. */
export const limits =
  process.env.TEST_LIMITS === 'minutes' ? { test: 300_000, poll: 250_000, element: 30_000 } : { test: 60_000, poll: 15_000, element: 5000 }
