import path from 'node:path'
import { pino } from 'pino'
import { migrate, openDb } from '#db/open.ts'
import { positionStore } from '#db/positions.ts'
import reference from '#docs/openapi.json' with { type: 'json' }
import { runJobs } from '#server/jobs/run-jobs.ts'
import { systemClock } from '#server/lib/clock.ts'
import { DATABASE, prepareDataDir } from '#server/lib/files.ts'
import { systemIds } from '#server/lib/ids.ts'
import { createLive } from '#server/lib/live.ts'
import { dispatchMail } from '#server/lib/mail-dispatch.ts'
import { createPayments } from '#server/lib/payments.ts'
import { photon } from '#server/lib/photon.ts'
import { portalOptions } from '#server/lib/portal-options.ts'
import { closeOnSignal, listen, run } from '#server/lib/process.ts'
import type { World } from '#server/lib/world.ts'
import { runPayments } from '#server/payments/run-payments.ts'
import { buildApp } from './app.ts'
import { readConfig, requireProduction } from './config.ts'

/** The production server: one world, the system clock, real mail and real payments; no mock part is in it. */
run(async () => {
  const config = readConfig(process.env)
  requireProduction(config)
  prepareDataDir(config.DATA_DIR)
  const logger = pino({ level: config.LOG_LEVEL })
  const db = openDb(path.join(config.DATA_DIR, DATABASE), { synchronous: config.SYNCHRONOUS })
  migrate(db)
  const world: World = {
    id: 'main',
    db,
    positions: positionStore(db),
    clock: systemClock,
    ids: systemIds,
    payments: createPayments({
      secretKey: config.STRIPE_SECRET_KEY!,
      publicKey: config.STRIPE_PUBLIC_KEY!,
      webhookSecret: config.STRIPE_WEBHOOK_SECRET!,
    }),
    geocode: { search: config.GEOCODER_URL ? photon(config.GEOCODER_URL) : () => [], nearest: () => null },
    live: createLive(),
    log: logger,
    origin: config.PORTAL_ORIGIN!,
    productName: config.PRODUCT_NAME,
    limits: { credentials: config.RATE_LIMITS },
  }
  const app = await buildApp({
    worlds: { of: () => world },
    logger,
    corsOrigins: config.CORS_ORIGINS,
    trustProxy: config.TRUST_PROXY,
    rateLimits: config.RATE_LIMITS,
    reference,
    portal: portalOptions(config),
  })
  const mail = dispatchMail(() => world, { url: config.SMTP_URL!, from: config.MAIL_FROM })
  const jobs = runJobs(world)
  const payments = runPayments(world)
  const address = await listen(app, { host: config.HOST, port: config.PORT })
  logger.info({ address }, 'listening')
  closeOnSignal(async () => {
    await app.close()
    await jobs.stop()
    await payments.stop()
    await mail.stop()
    db.close()
  })
})
