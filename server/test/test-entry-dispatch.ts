import { createTransport } from 'nodemailer'
import { openAddress } from './test-deadly.ts'
import { ANCHOR } from './test-files.ts'

/** Sends the outbox of a database and is killed when the mail server has accepted the first mail, before that is recorded. */
const [address = '', url = ''] = process.argv.slice(2)
const db = await openAddress(address)
const { createDispatcher } = await import('#server/mail/mail-dispatch.ts')
const log = { info() {}, warn() {}, error() {} }
const world = {
  id: 'main',
  db,
  clock: { now: () => ANCHOR },
  log,
  origin: 'http://portal.test',
  productName: 'Whereabouts',
  payments: { isLive: false },
  secondFactor: { key: new Uint8Array(32), isRequired: false },
  moveLimits: { perYear: 1, days: 30 },
  pauseLimits: { perYear: 1, days: 90 },
  claims: { isStockOnly: true, phoneMonths: 0 },
}
const transport = createTransport(url)
const sender = {
  close: () => transport.close(),
  async sendMail(message: Parameters<typeof transport.sendMail>[0]) {
    const info = await transport.sendMail(message)
    process.kill(process.pid, 'SIGKILL')
    return info
  },
}
await createDispatcher(() => world, { from: 'Whereabouts <no-reply@example.com>', sender, connections: 1 }).run()
