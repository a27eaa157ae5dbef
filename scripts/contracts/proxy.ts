import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import Fastify from 'fastify'
import { createProxyServer } from 'httpxy'
import { readConfigFile } from '#scripts/contracts/client/auth.ts'
import { PROXY_HELP, type ProxyOptions, parseProxyFlags } from '#scripts/contracts/client/flags.ts'
import { CannotRun, EXIT_BROKEN, EXIT_CLEAN, type Io, runProgram, saveFile } from '#scripts/contracts/client/io.ts'
import { copyStream, createCopyStream, createTally, decodeBody, findViolations, type Violation } from '#scripts/contracts/client/traffic.ts'
import {
  answerErrors,
  chooseWording,
  createRecording,
  isApiPath,
  type PassedExchange,
  parseConfig,
  portalOptions,
  readConfig,
  registerPortal,
} from './port.ts'

/** Forwards requests to a backend until it is stopped. Exit code: 0 clean, 1 broken, 2 could not run. */
export const runProxy = (argv: readonly string[], io: Io): Promise<number> =>
  runProgram(
    async () => {
      const options = parseProxyFlags(argv)
      if (!options) {
        io.out(PROXY_HELP)
        return EXIT_CLEAN
      }
      return serve(options, io)
    },
    (text) => io.err(`contracts:proxy: ${text}`),
  )

async function serve(options: ProxyOptions, io: Io): Promise<number> {
  const tally = createTally()
  const output = options.isJson ? createJsonOutput(io) : createTextOutput(io)
  const recording = createRecording(options.base)
  if (options.record !== undefined) saveFile(options.record, recording.format(options))
  const forwarder = createForwarder(options.base, io, (passed) => {
    if (options.record !== undefined) recording.add(passed)
    const violations = findViolations(passed)
    tally.add(violations, passed.responseBody !== null)
    violations.forEach(output.violation)
  })
  const page = options.portal === undefined ? undefined : await servePortal(options.portal, options, io.env)
  const server = createServer((request, reply) => (page && !isApiPath(request.url ?? '/') ? page : forwarder.listener)(request, reply))
  output.started(await startListening(server, options.port), options.base)
  if (!io.stop.aborted) await once(io.stop, 'abort')
  server.closeAllConnections()
  server.close()
  await forwarder.settled()
  if (options.record !== undefined) saveFile(options.record, recording.format(options))
  const summary = tally.summary()
  output.summary(summary)
  return summary.clean ? EXIT_CLEAN : EXIT_BROKEN
}

async function startListening(server: Server, port: number) {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening').catch((error: Error) => {
    throw new CannotRun(`port ${port} is not available: ${error.message}`)
  })
  return `http://localhost:${(server.address() as AddressInfo).port}`
}

type Forwarder = { listener: RequestListener; settled(): Promise<unknown> }

/**
 * Streams bodies through unchanged. Only the Host header is rewritten, and the cookie domain is dropped so that browsers accept cookies
 * here.
 */
function createForwarder(target: string, { now }: Io, passed: (passed: PassedExchange) => void): Forwarder {
  const backend = createProxyServer({ target, changeOrigin: true, cookieDomainRewrite: '' })
  const requestBodies = new WeakMap<IncomingMessage, () => Buffer | null>()
  const arrivals = new WeakMap<IncomingMessage, Date>()
  const inspections = new Set<Promise<void>>()
  const inspect = async (answer: IncomingMessage, request: IncomingMessage) => {
    const { method = 'GET', url = '/' } = request
    const at = arrivals.get(request)!
    const since = () => now().getTime() - at.getTime()
    const about = {
      at,
      waitMs: since(),
      requestHeaders: request.headers,
      responseHeaders: answer.headers,
      method,
      url,
      status: answer.statusCode ?? 0,
      contentType: answer.headers['content-type'] ?? '',
      location: answer.headers.location,
    }
    // For files and streams the content type is enough.
    const isText = about.contentType === '' || /json|text\/(plain|html)/.test(about.contentType)
    const bytes = isText ? await copyStream(answer) : Buffer.alloc(0)
    const responseBody = bytes && (await decodeBody(bytes, isText ? answer.headers['content-encoding'] : ''))
    passed({ ...about, ms: since(), responseBody, requestBody: jsonBody(request, requestBodies.get(request)?.() ?? null) })
  }
  backend.on('proxyRes', (answer, request) => {
    const one = inspect(answer, request).finally(() => inspections.delete(one))
    inspections.add(one)
  })
  const listener: RequestListener = async (request, reply) => {
    arrivals.set(request, now())
    const { stream, copy } = createCopyStream()
    requestBodies.set(request, copy)
    await backend.web(request, reply, { buffer: request.pipe(stream) }).catch((error: Error) => respondBadGateway(reply, error))
  }
  return { listener, settled: () => Promise.all(inspections) }
}

const jsonBody = ({ headers }: IncomingMessage, body: Buffer | null) =>
  body && body.length > 0 && headers['content-type']?.includes('json') ? body.toString('utf8') : undefined

function respondBadGateway(reply: ServerResponse, error: Error) {
  if (reply.headersSent) return void reply.destroy()
  reply.writeHead(502, { 'content-type': 'text/plain; charset=utf-8' }).end(`The backend did not respond: ${error.message}\n`)
}

type ProxyOutput = { started(address: string, base: string): void; violation(violation: Violation): void; summary(summary: object): void }

const createJsonOutput = ({ out }: Io): ProxyOutput => ({
  started: (address, base) => out(`${JSON.stringify({ listening: address, base })}\n`),
  violation: (violation) => out(`${JSON.stringify(violation)}\n`),
  summary: (summary) => out(`${JSON.stringify({ summary })}\n`),
})

/** Prints the first occurrence of a violation; the summary counts the others. */
const createTextOutput = ({ out }: Io): ProxyOutput => {
  const printed = new Set<string>()
  return {
    started: (address, base) => out(`${address} forwards to ${base}; Ctrl-C stops it\n`),
    violation({ verdict, side, method, url, call, status, path, message, effect }) {
      const place = [side, path].filter(Boolean).join(' ')
      const key = [verdict, method, call ?? url, status, place, message].join(' ')
      if (printed.has(key)) return
      printed.add(key)
      const said = effect ? `${message} (${effect})` : message
      out(`${verdict.padEnd(9)} ${method} ${url} (${call ?? 'no endpoint'}) ${status}, ${place}: ${said}\n`)
    },
    summary: (summary) => out(`${JSON.stringify(summary, null, 1)}\n`),
  }
}

const BUILT_PORTAL = chooseWording('npm run build writes dist/web', 'that of the package is node_modules/whereabouts/dist/web')

/** Serves a built portal that calls the API on its own origin. */
async function servePortal(
  folder: string,
  { config: file, base }: { config?: string | undefined; base: string },
  env: Io['env'],
): Promise<RequestListener> {
  const root = path.resolve(folder)
  const fields = file === undefined ? undefined : readPortalConfig(file)
  const config = fields && JSON.stringify({ ...fields, apiBaseUrl: '' })
  if (!existsSync(path.join(root, 'index.html'))) throw new CannotRun(`--portal ${folder} is not a built portal; ${BUILT_PORTAL}`)
  const app = Fastify()
  answerErrors(app)
  const usual = portalOptions(readConfig(env)).config
  await registerPortal(app, { root, config: fields ? { ...usual, ...listHosts(fields), apiBaseUrl: base } : usual })
  await app.ready()
  return (request, reply) => {
    if (config === undefined || request.url?.split('?', 1)[0] !== '/config.json') return app.routing(request, reply)
    reply.setHeader('content-type', 'application/json').end(config)
  }
}

/** The hosts that the content security policy allows: those of a valid configuration. */
function listHosts(fields: Record<string, unknown>) {
  try {
    const { tiles, satellite, payments } = parseConfig(fields)
    return { tiles, satellite, ...(payments?.stripeJs && { payments: { stripeJs: payments.stripeJs } }) }
  } catch {
    return {}
  }
}

function readPortalConfig(file: string) {
  if (!existsSync(file)) throw new CannotRun(`--config ${file} does not exist; contracts check --write-config writes it`)
  return readConfigFile(file)
}
