import { expect, test } from 'vitest'
import { startPortal } from '#server/test/start-portal.ts'

const CART = { items: [{ device: 2, price: 'eur-12m-once' }] }

async function checkoutOf(portal: Awaited<ReturnType<typeof startPortal>>, host: string) {
  const { body } = await portal.call('alice@example.com', 'POST', '/users/payment_session/', CART, { host })
  return new URL(body.url).origin
}

test('payments return to the host name under which the local stack was opened', async () => {
  await using portal = await startPortal()
  portal.world.setOrigin('http://localhost:8080')
  for (const host of ['127.0.0.1:8080', '[::1]:8080', 'localhost:8080']) expect(await checkoutOf(portal, host)).toBe(`http://${host}`)
})

test.each(['evil.example:8080', '127.0.0.1:9999', '127.0.0.1'])(
  'a request to %s does not change where payments return to',
  async (host) => {
    await using portal = await startPortal()
    portal.world.setOrigin('http://localhost:8080')
    expect(await checkoutOf(portal, host)).toBe('http://localhost:8080')
  },
)
