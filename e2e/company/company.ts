import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { SMTPServer } from 'smtp-server'
import Stripe from 'stripe'
import { startPostgres } from '#server/test/postgres/start-postgres.ts'

const HOST = '127.0.0.1'
const STRIPE_KEY = 'sk_test_company'
const PATIENCE_MS = 60_000

type Mail = { to: string; text: string }

/**
 * A company on its first day: the production build with an empty database, the fake Stripe in a process of its own, and a mail server.
 * Nothing of the mock server is near.
 */
export async function startCompany(engine: 'sqlite' | 'postgres') {
  const root = mkdtempSync(path.join(tmpdir(), 'whereabouts-company-'))
  const data = path.join(root, 'data')
  mkdirSync(data)
  for (const folder of ['dist', 'db']) symlinkSync(path.resolve(folder), path.join(root, folder))
  const children: ChildProcess[] = []
  const postgres = engine === 'postgres' ? await startPostgres() : undefined
  const mails: Mail[] = []
  const smtp = await startMailServer(mails)
  const [port, stripePort] = [await findFreePort(), await findFreePort()]
  const origin = `http://${HOST}:${port}`
  const stripeUrl = `http://${HOST}:${stripePort}`

  const start = (args: string[], env: Record<string, string> = {}, cwd = root) => {
    const child = spawn(process.execPath, args, { cwd, env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
    children.push(child)
    return child
  }
  start([path.resolve('scripts/cli/whereabouts.mjs'), 'stripe', '--port', String(stripePort)], {}, process.cwd())
  await waitFor(stripeUrl, () => true)
  const stripe = new Stripe(STRIPE_KEY, { host: HOST, port: stripePort, protocol: 'http' })
  const { secret } = await stripe.webhookEndpoints.create({ url: `${origin}/stripe/webhook/`, enabled_events: ['*'] })
  const settings = {
    NODE_ENV: 'production',
    DATA_DIR: data,
    HOST,
    PORT: String(port),
    PORTAL_ORIGIN: origin,
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    SMTP_URL: `smtp://${HOST}:${smtp.port}`,
    MAIL_FROM: 'Shop <portal@shop.example>',
    TRUST_PROXY: 'off',
    STRIPE_API_URL: stripeUrl,
    STRIPE_SECRET_KEY: STRIPE_KEY,
    STRIPE_PUBLIC_KEY: 'pk_test_company',
    STRIPE_WEBHOOK_SECRET: secret!,
    RATE_LIMITS: 'off',
    // Don't compare the clock with other machines: there is no network.
    CLOCK_TRUSTED: 'on',
    ...(postgres && { DATABASE_URL: postgres.url }),
  }

  /** Runs a command of the operator's program; resolves to its output. */
  async function operate(...args: string[]) {
    const child = start(['dist/server/operator.js', ...args], settings)
    const said = { out: '', err: '' }
    child.stdout!.on('data', (text) => {
      said.out += String(text)
    })
    child.stderr!.on('data', (text) => {
      said.err += String(text)
    })
    const [code] = await once(child, 'close')
    if (code !== 0) throw new Error(`operator.js ${args.join(' ')} ended with ${code}: ${said.out}${said.err}`)
    return said.out
  }

  const server = start(['dist/server/main.js'], settings)
  let log = ''
  for (const stream of [server.stdout!, server.stderr!])
    stream.on('data', (text) => {
      log += String(text)
    })
  await waitFor(
    `${origin}/readyz`,
    ({ ok }) => ok,
    () => log,
  )

  return {
    origin,
    stripe,
    operate,
    /** Writes a file for `operate`; returns its path. */
    write(name: string, text: string) {
      const file = path.join(data, name)
      writeFileSync(file, text)
      return file
    },
    /** Waits for a mail to an address with a text in it, and returns its newest. */
    async mail(to: string, text: string | RegExp) {
      const find = () =>
        mails.findLast((mail) => mail.to === to && (typeof text === 'string' ? mail.text.includes(text) : text.test(mail.text)))
      return poll(
        find,
        () => `No mail to ${to} with ${text}; there are ${mails.map((mail) => `${mail.to}: ${mail.text.slice(0, 80)}`).join('\n')}`,
      )
    },
    async [Symbol.asyncDispose]() {
      for (const child of children) child.kill('SIGKILL')
      await smtp.stop()
      await postgres?.stop()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

/** A mail server that accepts everything. */
async function startMailServer(mails: Mail[]) {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData(stream, { envelope }, answer) {
      let source = ''
      stream.setEncoding('utf8')
      stream.on('data', (text) => {
        source += text
      })
      stream.on('end', () => {
        for (const { address } of envelope.rcptTo) mails.push({ to: address, text: decodeText(source) })
        answer()
      })
    },
  })
  server.on('error', () => {})
  const listening = server.listen(0, HOST)
  await once(listening, 'listening')
  return {
    port: (listening.address() as { port: number }).port,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

/** The source of a mail with the encodings of its parts undone. */
function decodeText(source: string) {
  const isBase64 = /content-transfer-encoding: base64\r\n(?:.+\r\n)*\r\n([A-Za-z0-9+/=\r\n]+)/gi
  const plain = source.replace(isBase64, (_, body: string) => Buffer.from(body, 'base64').toString())
  return Buffer.from(
    plain.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  ).toString()
}

async function findFreePort() {
  const server = createServer().listen(0, HOST)
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

const waitFor = (url: string, isUp: (answer: Response) => boolean, describe = () => '') =>
  poll(
    async () => {
      const answer = await fetch(url).catch(() => undefined)
      return answer && isUp(answer) ? true : undefined
    },
    () => `${url} did not answer. ${describe()}`,
  )

async function poll<T>(find: () => T | undefined | Promise<T | undefined>, describe: () => string): Promise<T> {
  const end = Date.now() + PATIENCE_MS
  for (;;) {
    const found = await find()
    if (found !== undefined) return found
    if (Date.now() > end) throw new Error(describe())
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
