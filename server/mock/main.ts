import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { lockFolder } from '#db/sqlite/lock.ts'
import reference from '#docs/openapi.json' with { type: 'json' }
import { buildApp } from '#server/app.ts'
import { type Config, readConfig } from '#server/config.ts'
import { closeOnSignal, ensureDataDir, findFreePort, listen, runMain } from '#server/http/process.ts'
import { dispatchMail } from '#server/mail/mail-dispatch.ts'
import { createControlPlane } from '#server/mock/control/control.ts'
import { refuseUnsafe } from '#server/mock/control/refuse-unsafe.ts'
import { createDemoStack } from '#server/mock/demo/demo.ts'
import { loadOwnScenarios } from '#server/mock/document/own-scenarios.ts'
import { createInjectFetch } from '#server/mock/lib/inject-fetch.ts'
import { servePanel } from '#server/mock/panel/serve.ts'
import { welcome } from '#server/mock/sign-in/welcome.ts'
import { createLocalWorlds } from '#server/mock/worlds/local-worlds.ts'
import { portalOptions } from '#server/portal-options.ts'
import type { Log } from '#server/ports/world.ts'

const TICK_MS = 1000
const tiles = {
  url: '/mock/tiles/{z}/{x}/{y}.svg?theme={theme}',
  attribution: '© OpenStreetMap contributors',
  maxZoom: 19,
  streets: { lat: -34.894, lng: -56.153 },
}
/** npm scripts cannot set variables the same way in every shell, so `--demo` stands for MODE=demo. */
const env = { ...process.env, ...(process.argv.includes('--demo') && { MODE: 'demo' }) }

/** The worlds of a server belong to different people and tests: an unexpected error in one must not end the others. */
function surviveUnexpectedErrors(log: Log) {
  const report = (error: unknown) => {
    log.error({ err: error }, UNEXPECTED)
    process.stderr.write(`${UNEXPECTED}: ${error instanceof Error ? error.stack : String(error)}\n`)
  }
  process.on('uncaughtException', report)
  process.on('unhandledRejection', report)
}
const UNEXPECTED = 'unexpected error, the server goes on'

/** The local stack or the public demo: the whole API over seeded data, with map, mailbox, test payments and moving trackers. */
runMain(async () => {
  const configured = readConfig(env)
  const config = { ...configured, PORT: configured.PORT || (await findFreePort(configured.HOST)) }
  refuseUnsafe(config)
  ensureDataDir(config.DATA_DIR)
  const unlock = lockFolder(config.DATA_DIR)
  const logger = pino({ level: config.LOG_LEVEL })
  const { worlds, extend, turn, text, load } =
    config.MODE === 'demo' ? { ...createDemoStack(config, { log: logger }), load: undefined } : await createLocalStack(config, logger)
  const { legal, ...portal } = portalOptions(config, tiles, true)
  const isLocal = config.MODE === 'local'
  const app = await buildApp({
    worlds,
    logger,
    // Front ends in development run on this machine at any port. Any other page could sign in with the printed password.
    corsOrigins: isLocal && config.CORS_ORIGINS.length === 0 ? 'loopback' : config.CORS_ORIGINS,
    trustProxy: config.TRUST_PROXY ?? false,
    docs: config.DOCS ?? true,
    // Test suites share one IP address.
    rateLimits: config.RATE_LIMITS && !isLocal,
    reference,
    portal: { ...portal, config: { ...portal.config, demo: { ...welcome.demo, mayReplace: !isLocal } } },
    legal,
    withdrawal: { days: config.WITHDRAWAL_DAYS, countries: config.WITHDRAWAL_COUNTRIES },
    extend,
    dataDir: config.DATA_DIR,
    ...(config.METRICS_TOKEN && { metrics: { token: config.METRICS_TOKEN } }),
  })
  const mail = config.SMTP_URL ? dispatchMail(() => worlds.get('main')!, { url: config.SMTP_URL, from: config.MAIL_FROM }) : undefined
  await load?.(app)
  await listen(app, { host: config.HOST, port: config.PORT })
  surviveUnexpectedErrors(logger)
  const play = setInterval(() => {
    void worlds.expire()
    for (const world of turn()) world.play().catch((error) => logger.error({ err: error, world: world.id }, 'the simulation failed'))
  }, TICK_MS)
  process.stdout.write(text)
  closeOnSignal(app, async () => {
    clearInterval(play)
    await app.close()
    await mail?.stop()
    worlds.closeAll()
    unlock()
  })
})

async function createLocalStack(config: Config, log: Log) {
  const { worlds, origins, snapshots, main, city, own } = await createLocalWorlds(config, log)
  const extend = async (app: FastifyInstance) => {
    await createControlPlane({ worlds, own, origins, snapshots, city, token: config.CONTROL_TOKEN })(app)
    servePanel(app)
  }
  const load = async (app: FastifyInstance) => {
    if (!config.SCENARIOS) return
    await app.ready()
    const server = { base: main.origin, token: config.CONTROL_TOKEN, fetch: createInjectFetch(app) }
    await loadOwnScenarios(config.SCENARIOS, own, { worlds, server })
  }
  return { worlds, extend, turn: () => worlds.all(), text: welcome.text(main.origin), load }
}
