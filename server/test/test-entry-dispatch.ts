import { createTransport } from 'nodemailer'
import { openDb } from '#db/sqlite/open.ts'
import { createDispatcher } from '#server/mail/mail-dispatch.ts'
import { ANCHOR } from './test-files.ts'

/** Sends what lies in the outbox of a file, and is killed as soon as the mail server has taken the first: before that is noted. */
const [file = '', url = ''] = process.argv.slice(2)
const log = { info() {}, warn() {}, error() {} }
const world = { id: 'main', db: openDb(file), clock: { now: () => ANCHOR }, log, origin: 'http://portal.test', productName: 'Whereabouts' }
const transport = createTransport(url)
const sender = {
  close: () => transport.close(),
  async sendMail(message: Parameters<typeof transport.sendMail>[0]) {
    const info = await transport.sendMail(message)
    process.kill(process.pid, 'SIGKILL')
    return info
  },
}
await createDispatcher(() => world, { from: 'Whereabouts <no-reply@example.com>', sender }).run()
