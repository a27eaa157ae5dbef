import type { MockAddress } from '#scripts/bench/lab.ts'
import { startPortal } from '#server/test/start-portal.ts'

const mock = await startPortal({ noted: false })
process.send?.({
  url: await mock.app.listen({ host: '127.0.0.1', port: 0 }),
  pid: process.pid,
  token: await mock.token('alice@example.com'),
} satisfies MockAddress)
