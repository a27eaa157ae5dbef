import path from 'node:path'
import { type Logger, pino } from 'pino'
import { DAY_MS } from '#contracts/rules/time.ts'
import { findNoAddress } from '#db/addresses.ts'
import type { ReplicaChange } from '#db/db.ts'
import { lockFolder, openDb, openSharedDb } from '#db/open/open-db.ts'
import { readEngine } from '#db/schema/engine.ts'
import reference from '#docs/openapi.json' with { type: 'json' }
import { runPayments } from '#server/billing/sync/payment-worker.ts'
import { dispatchChannels } from '#server/channels/channel-dispatch.ts'
import { createClockGuard } from '#server/clock/clock-guard.ts'
import { readOutsideClock } from '#server/clock/outside-clock.ts'
import { closeOnSignal, DATABASE_FILENAME, ensureDataDir, listen } from '#server/http/process.ts'
import { runPacking } from '#server/jobs/pack-positions.ts'
import { runJobs } from '#server/jobs/run-jobs.ts'
import { count } from '#server/lib/counts.ts'
import { runPeriodically, runWhile } from '#server/lib/run-periodically.ts'
import { createSharedLive, runLogPruning } from '#server/live/shared-live.ts'
import { dispatchMail } from '#server/mail/mail-dispatch.ts'
import { createMailMetrics } from '#server/mail/mail-metrics.ts'
import { systemClock } from '#server/ports/clock.ts'
import { createDownlinks } from '#server/ports/downlinks.ts'
import { systemIds } from '#server/ports/ids.ts'
import { createLive } from '#server/ports/live.ts'
import { createPayments } from '#server/ports/payments.ts'
import { createPhotonReverse, createPhotonSearch } from '#server/ports/photon.ts'
import { createPush } from '#server/ports/push.ts'
import { createReceivers } from '#server/ports/receivers.ts'
import { createTileServer } from '#server/ports/tile-server.ts'
import type { World } from '#server/ports/world.ts'
import { dispatchPushes } from '#server/push/push-dispatch.ts'
import { applyEndings } from '#server/recovery/apply-endings.ts'
import { copyEndings, readEndings } from '#server/recovery/endings-file.ts'
import { readClaims } from '#server/stock/included-months.ts'
import { openAddressBook, runAddressBook } from '#server/tracking/address-book.ts'
import { runDownlinks } from '#server/tracking/networks/downlinks.ts'
import { buildApp, RELEASE } from './app.ts'
import { type Config, findEndingsFile, readConfig, requireProduction } from './config.ts'
import { portalOptions } from './portal-options.ts'

/** Starts the production server: one world, the system clock, real mail and real payments; no part of the mock server. */
export async function serve(env: NodeJS.ProcessEnv) {
  const config = readConfig(env)
  requireProduction(config)
  const logger = pino({ level: config.LOG_LEVEL })
  const tracing = await loadTracing(env)
  const { db, unlock } = await openDatabase(config, logger)
  const { GEOCODER_URL: geocoder, GEOCODER_CALLS_PER_MINUTE: calls } = config
  const addresses =
    geocoder && calls > 0 ? await openAddressBook({ db, clock: systemClock, log: logger }, createPhotonReverse(geocoder)) : undefined
  const { legal, ...portal } = portalOptions(config)
  const sharedLive = db.log && createSharedLive(db, db.log, logger)
  const { PUSH_KEY: key, PUSH_SERVICES: services, SUPPORT_EMAIL: contact } = config
  const push = key && createPush({ key, contact, services })
  const { CHANNELS: reach, CHANNEL_SERVERS: servers } = config
  const receivers = reach === 'off' ? undefined : createReceivers({ servers, isOpen: reach === 'public' })
  const world: World = {
    id: 'main',
    db,
    positions: db.positions,
    clock: systemClock,
    ids: systemIds,
    payments: createPayments({
      secretKey: config.STRIPE_SECRET_KEY!,
      publicKey: config.STRIPE_PUBLIC_KEY!,
      webhookSecret: config.STRIPE_WEBHOOK_SECRET!,
      apiUrl: config.STRIPE_API_URL,
      log: logger,
    }),
    geocode: {
      search: geocoder ? createPhotonSearch(geocoder) : () => [],
      nearest: addresses?.nearest ?? findNoAddress,
      ...(geocoder && { reverse: createPhotonReverse(geocoder) }),
    },
    live: sharedLive ?? createLive(db),
    ...(config.TILE_URL && {
      map: createTileServer(config.TILE_URL, config.TILE_ATTRIBUTION ?? '', `${config.PRODUCT_NAME} (${config.PORTAL_ORIGIN})`),
    }),
    downlinks: createDownlinks(config.DOWNLINK_SERVERS),
    ...(push && { push }),
    ...(receivers && { receivers }),
    log: logger,
    origin: config.PORTAL_ORIGIN!,
    productName: config.PRODUCT_NAME,
    limits: { credentials: config.RATE_LIMITS },
    graceDays: config.GRACE_DAYS,
    asksContacts: config.CONTACT_CONSENT !== 'presumed',
    secondFactor: { key: config.SECRETS_KEY!, isRequired: config.REQUIRE_SECOND_FACTOR ?? true },
    claims: readClaims(config),
    moveLimits: { perYear: config.PLAN_MOVES_PER_YEAR, days: config.PLAN_MOVE_DAYS },
    pauseLimits: { perYear: config.PLAN_PAUSES_PER_YEAR, days: config.PLAN_PAUSE_DAYS },
    withdraws: config.WITHDRAWAL_DAYS !== null,
    termsVersion: legal.termsVersion,
    priceNoticeDays: config.PRICE_NOTICE_DAYS,
  }
  if (config.STRIPE_API_URL) logger.warn({ url: config.STRIPE_API_URL }, 'STRIPE_API_URL is set: payments do not go to Stripe')
  const endingsFile = findEndingsFile(config)
  await endAgain(world, endingsFile)
  const clockGuard = createClockGuard(world, { isTrusted: config.CLOCK_TRUSTED, readOutside: readOutsideClock })
  await clockGuard.check()
  const app = await buildApp({
    worlds: { of: () => world },
    logger,
    corsOrigins: config.CORS_ORIGINS,
    trustProxy: config.TRUST_PROXY ?? false,
    rateLimits: config.RATE_LIMITS,
    clockGuard,
    metrics: { token: config.METRICS_TOKEN },
    ...(!config.DATABASE_URL && { dataDir: config.DATA_DIR }),
    docs: config.DOCS ?? false,
    reference,
    portal,
    legal,
    withdrawal: { days: config.WITHDRAWAL_DAYS, countries: config.WITHDRAWAL_COUNTRIES },
    ...(tracing && { extend: tracing.traceRequests }),
  })
  const onOutcome = createMailMetrics(app.metrics, world)
  const work = runWhile(clockGuard.isTrusted, () => [
    dispatchMail(() => world, { url: config.SMTP_URL!, from: config.MAIL_FROM, onOutcome }),
    ...(receivers ? [dispatchChannels({ ...world, receivers })] : []),
    ...(push ? [dispatchPushes({ ...world, push })] : []),
    runJobs(world, clockGuard.isTrusted),
    ...(db.log ? [runLogPruning(db.log, world)] : []),
    runDownlinks(world),
    copyEndings(world, endingsFile),
    runPayments(world),
    runPeriodically(async () => {
      await db.maintain?.(systemClock.now()).catch((error) => {
        count(db, 'job_failures_total', { work: 'database_upkeep' })
        logger.error({ err: error }, 'the upkeep of the database failed')
      })
    }, DAY_MS),
    ...(db.packPositions && config.POSITIONS_PACK_AFTER_DAYS !== null ? [runPacking(world, config.POSITIONS_PACK_AFTER_DAYS)] : []),
    ...(addresses ? [runAddressBook(addresses, world, calls)] : []),
  ])
  const watch = clockGuard.watch()
  const address = await listen(app, { host: config.HOST, port: config.PORT })
  // Logged at every level, because an operator looks for it first.
  pino().info({ address, release: RELEASE, engine: readEngine(), node: process.versions.node }, 'listening')
  closeOnSignal(
    app,
    async () => {
      world.payments.calls.close()
      // It may wait long for the mail server's response, so it begins first.
      const workHasStopped = work.stop()
      await app.close()
      await workHasStopped
      await watch.stop()
      sharedLive?.stop()
      await db.close()
      await tracing?.stop()
      unlock()
    },
    config.DRAIN_SECONDS,
  )
}

/** What people had ended does not come back, even if the operator has not declared that a backup was restored. */
async function endAgain(world: World, file: string) {
  const ended = await applyEndings(world, readEndings(file) ?? [])
  if (Object.keys(ended).length > 0)
    world.log.error(
      { ended, file },
      'the database is older than the list of what was ended, which has ended again: run operator.js after-restore',
    )
}

/** Traces are exported if OpenTelemetry's own variable names a collector; otherwise nothing of it is loaded. */
async function loadTracing(env: NodeJS.ProcessEnv) {
  if (!env.OTEL_EXPORTER_OTLP_ENDPOINT && !env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) return undefined
  const { startTracing } = await import('#server/tracing/tracing.ts')
  return startTracing({ serviceName: env.OTEL_SERVICE_NAME, version: RELEASE, engine: readEngine() })
}

/** Opens PostgreSQL, which several servers share, or the file in the data folder, which is reserved for this server. */
async function openDatabase(config: Config, logger: Logger) {
  const { DATABASE_URL: url, DATABASE_CONNECTIONS: max, DATABASE_REPLICA_URL: urls, DATA_DIR, SYNCHRONOUS } = config
  if (url) {
    const onError = (error: Error) => logger.warn({ error: error.message }, 'a connection to the database was lost')
    const onChange = (replica: ReplicaChange) =>
      replica.state === 'ok' ? logger.info(replica, 'reading history from a replica') : logger.warn(replica, 'a replica is not used')
    const replicas = urls.length > 0 && { urls, max, maxLag: config.DATABASE_REPLICA_LAG, onChange }
    const db = await openSharedDb(url, systemClock.now(), {
      max,
      onError,
      directUrl: config.DATABASE_DIRECT_URL,
      onMove: (host) => logger.warn({ host }, 'another host of the database accepts changes now'),
      ...(replicas && { replicas }),
    })
    return { db, unlock: () => {} }
  }
  ensureDataDir(DATA_DIR)
  const unlock = lockFolder(DATA_DIR)
  return { db: await openDb(path.join(DATA_DIR, DATABASE_FILENAME), { synchronous: SYNCHRONOUS ?? 'FULL' }), unlock }
}
