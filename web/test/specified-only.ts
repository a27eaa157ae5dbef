import { readFileSync } from 'node:fs'
import type { startSyncedPortal } from './synced-portal.ts'

const CALLS = readFileSync('contracts/specified-endpoints.txt', 'utf8')
  .trim()
  .split('\n')
  .map((line) => {
    const [method, path = ''] = line.split(' ')
    return { method, path: new RegExp(`^${path.replace(/:\w+/g, '[^/]+').replace(/\/$/, '')}/?$`) }
  })

const isSpecified = (method: string, path: string) => CALLS.some((call) => call.method === method && call.path.test(path))

/** The real server as a backend with the 22 calls of the specification and no other: those are unknown addresses. */
export function withSpecifiedOnly(portal: Awaited<ReturnType<typeof startSyncedPortal>>) {
  const unknown: string[] = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const [method, [path = '']] = [init?.method ?? 'GET', String(input).split('?')]
    if (isSpecified(method, path)) return portal.fetch(input, init)
    unknown.push(`${method} ${path}`)
    return new Response('{"detail":"Not found."}', { status: 404 })
  }
  return { fetch, token: portal.token, unknown }
}
