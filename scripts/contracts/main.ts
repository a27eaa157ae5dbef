/**
 * `npm run contracts:check` and `npm run contracts:proxy`: compares a real backend with the contract, by sending requests or by observing
 * traffic.
 */

import { systemIo } from '#scripts/contracts/client/io.ts'
import { check } from './check.ts'
import { proxy } from './proxy.ts'

const [command, ...argv] = process.argv.slice(2)
const stop = new AbortController()
if (command === 'proxy') for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
process.exitCode = await (command === 'proxy' ? proxy : check)(argv, systemIo(stop.signal))
