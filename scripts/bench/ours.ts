import { startPortal } from '#server/mock/testing.ts'

/** The real server over the seeded world, on a port of its own. */
const portal = await startPortal()
const address = await portal.app.listen({ host: '127.0.0.1', port: 0 })
process.send?.({ address, token: await portal.token('alice@example.com') })
