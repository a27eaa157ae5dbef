/** Runs 200 visitors in the public demo for five minutes, or as many as given: `npm run soak -- --visitors=20 --seconds=30`. */
import { parseArgs } from 'node:util'
import { startDemoServer } from '#e2e/demo-server.ts'
import { formatReport, runSoak } from '#scripts/bench/soak.ts'

const { values } = parseArgs({ options: { visitors: { type: 'string', default: '200' }, seconds: { type: 'string', default: '300' } } })
const server = await startDemoServer({ TRUST_PROXY: '1' })
const result = await runSoak(server, { visitors: Number(values.visitors), seconds: Number(values.seconds) })
await server.stop()
console.log(formatReport(result))
process.exit(result.holds ? 0 : 1)
