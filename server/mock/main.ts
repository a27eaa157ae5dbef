import { pino } from 'pino'
import reference from '#docs/openapi.json' with { type: 'json' }
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { prepareDataDir } from '#server/lib/files.ts'
import { dispatchMail } from '#server/lib/mail-dispatch.ts'
import { portalOptions } from '#server/lib/portal-options.ts'
import { closeOnSignal, freePort, listen, run } from '#server/lib/process.ts'
import { control } from './control.ts'
import { localWorlds } from './local-worlds.ts'
import { refuseUnsafe } from './refuse-unsafe.ts'
import { welcome } from './welcome.ts'

const TICK_MS = 1000
const tiles = { url: '/mock/tiles/{z}/{x}/{y}.svg?theme={theme}', attribution: '© OpenStreetMap contributors', maxZoom: 19 }

/** The local stack: the whole API over seeded demo data, with map, mailbox, test payments and trackers that move. */
run(async () => {
  const asked = readConfig(process.env)
  const config = { ...asked, PORT: asked.PORT || (await freePort(asked.HOST)) }
  refuseUnsafe(config)
  prepareDataDir(config.DATA_DIR)
  const logger = pino({ level: config.LOG_LEVEL })
  const { worlds, snapshots, main, city } = await localWorlds(config, logger)
  const portal = portalOptions(config, tiles)
  const app = await buildApp({
    worlds,
    logger,
    corsOrigins: config.CORS_ORIGINS,
    trustProxy: config.TRUST_PROXY,
    rateLimits: config.RATE_LIMITS,
    reference,
    portal: { ...portal, config: { ...portal.config, demo: welcome.demo } },
    extend: control({ worlds, snapshots, city, token: config.CONTROL_TOKEN }),
  })
  const mail = config.SMTP_URL
    ? dispatchMail(() => worlds.get(main.id) ?? main, { url: config.SMTP_URL, from: config.MAIL_FROM })
    : undefined
  await listen(app, { host: config.HOST, port: config.PORT })
  const play = setInterval(() => {
    void worlds.expire()
    for (const world of worlds.all())
      world.play().catch((error) => logger.error({ err: error, world: world.id }, 'the simulation stumbled'))
  }, TICK_MS)
  process.stdout.write(welcome.text(main.origin))
  closeOnSignal(async () => {
    clearInterval(play)
    await app.close()
    await mail?.stop()
    worlds.closeAll()
  })
})
