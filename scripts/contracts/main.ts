/**
 * `npm run contracts:check` and `npm run contracts:proxy`: compares a real backend with the contract, by sending requests or by observing
 * traffic.
 */

import { createSystemIo, type Io } from '#scripts/contracts/client/io.ts'
import { runCheck } from './check.ts'
import { runProxy } from './proxy.ts'

const [command, ...argv] = process.argv.slice(2)
const stop = new AbortController()
if (command === 'proxy') for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
const io: Io = {
  ...createSystemIo(stop.signal),
  // Loads a browser, which is only needed for a written configuration.
  visitPortal: async (plan) => (await import('#scripts/contracts/levels/portal-visit.ts')).visitPortal(plan),
}
process.exitCode = await (command === 'proxy' ? runProxy : runCheck)(argv, io)
