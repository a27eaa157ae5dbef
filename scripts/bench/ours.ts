import { startPortal } from '#server/test/start-portal.ts'

const here = { host: '127.0.0.1', port: 0 }
const alone = await startPortal({ app: { extend: async () => {} } })
const mock = await startPortal({ noted: false })
process.send?.({
  address: await alone.app.listen(here),
  token: await alone.token('alice@example.com'),
  mock: { address: await mock.app.listen(here), token: await mock.token('alice@example.com') },
})
