import type { DeviationReport } from '#web/lib/other-backends/tolerance.ts'

/**
 * Deviations that the portal tolerated in the running test. Our own server follows the contract, so the test fails unless it takes them
 * from here.
 */
export const forgiven: DeviationReport[] = []

type Server = { fetch: typeof fetch; token: (email: string) => Promise<string> | string }
type Rewrite = (text: string) => string

/**
 * The real server with a deviation from the contract: `rewrite` changes its JSON responses, `restore` the requests. `sent` contains the
 * bodies.
 */
export function withHabit(portal: Server, rewrite: Rewrite, restore: Rewrite) {
  const sent: unknown[] = []
  const fetch: typeof globalThis.fetch = async (input, init = {}) => {
    const { body } = init
    if (typeof body === 'string') sent.push(JSON.parse(body))
    const answer = await portal.fetch(restore(String(input)), { ...init, ...(typeof body === 'string' && { body: restore(body) }) })
    if (!answer.headers.get('content-type')?.includes('json')) return answer
    return new Response(rewrite(await answer.text()), { status: answer.status, headers: { 'content-type': 'application/json' } })
  }
  return { fetch, token: portal.token, sent }
}

export const swap = (from: string, to: string) => (text: string) => text.replaceAll(from, to)

const toText = (id: string) => `"u-${id}"`

/** The real server with text ids: 2 is `u-2`. */
export const withTextIds = (portal: Server) =>
  withHabit(
    portal,
    (json) =>
      json
        .replace(/"(id|device|place|invoice)":(\d+)/g, (_, name, id) => `"${name}":${toText(id)}`)
        .replace(/"(devices|contacts)":\[([\d,]+)\]/g, (_, name, ids) => `"${name}":[${ids.split(',').map(toText)}]`),
    (text) => text.replace(/"u-(\d+)"/g, '$1').replace(/u-(\d+)/g, '$1'),
  )
