import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test, vi } from 'vitest'
import { IMPORTS } from '#contracts/limits/upload-limits.ts'
import { startPortal } from '#server/test/start-portal.ts'

const MEGABYTE = 1024 * 1024
/** Almost the largest file that is allowed. */
const FILE = Buffer.alloc(IMPORTS.maxBytes - MEGABYTE, 'no positions\n')
const BUSY_MACHINE_TIMEOUT_MS = 60_000

async function startUploads() {
  const portal = await startPortal({ app: { rateLimits: false } })
  await portal.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = portal.app.server.address() as AddressInfo
  const authorization = `Bearer ${await portal.token('alice@example.com')}`
  /** Starts an upload of the whole size on a connection of its own, but sends only these bytes. */
  const upload = async (bytes: Buffer) => {
    const headers = { authorization, 'content-type': 'application/octet-stream', 'content-length': FILE.length }
    const client = request({ port, host: '127.0.0.1', method: 'POST', path: '/devices/1/imports/', headers, agent: false })
    client.on('error', () => {})
    const answer = once(client, 'response').then(([response]: IncomingMessage[]) => {
      response!.resume()
      return response!.statusCode
    })
    const received = once(portal.app.server, 'request')
    client.write(bytes)
    const [{ socket }] = (await received) as [IncomingMessage]
    return { client, answer, countRead: () => socket.bytesRead }
  }
  return { upload, [Symbol.asyncDispose]: () => portal[Symbol.asyncDispose]() }
}

test(
  "a file of 63 MB that waits for another one of its account is not read from its sender, and the account's fourth gets 429",
  async () => {
    await using portal = await startUploads()
    const slow = await portal.upload(FILE.subarray(0, 4 * MEGABYTE))
    void slow.answer.catch(() => {})
    await vi.waitFor(() => expect(slow.countRead()).toBeGreaterThan(4 * MEGABYTE), BUSY_MACHINE_TIMEOUT_MS)
    const others = [await portal.upload(FILE), await portal.upload(FILE), await portal.upload(FILE)]
    const refused = await Promise.race(others.map(async (other) => ({ other, status: await other.answer })))
    expect(refused.status).toBe(429)
    const waiting = others.filter((other) => other !== refused.other)
    for (const { countRead } of waiting) expect(countRead()).toBeLessThan(MEGABYTE)
    slow.client.destroy()
    expect(await Promise.all(waiting.map(({ answer }) => answer))).toEqual([400, 400])
    for (const { countRead } of waiting) expect(countRead()).toBeGreaterThan(FILE.length)
  },
  BUSY_MACHINE_TIMEOUT_MS,
)
