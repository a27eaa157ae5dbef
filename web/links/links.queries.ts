import { queryOptions } from '@tanstack/react-query'
import type { PublicLink } from '#contracts/links.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { client } from '#web/lib/api/client.ts'

/** A link, and whose it is. */
export type OwnedLink = PublicLink & { device: number; device_name: string }

/** Everything read about links: what one dialog changes, every list shows. */
export const LINKS = ['links'] as const

/** The public links of one tracker, newest first (E-6). */
export const linksQuery = (id: number) =>
  queryOptions({ queryKey: [...LINKS, id], queryFn: ({ signal }) => client.links.listOf({ params: { id } }, { signal }) })

/** All links of the account (E-68); a server without that list is asked tracker by tracker (C-47). */
export const allLinksQuery = () =>
  queryOptions({
    queryKey: [...LINKS, 'all'],
    queryFn: ({ signal }) =>
      client.links.list({}, { signal }).catch((error: unknown) => {
        if (!(error instanceof ApiError) || error.status !== 404) throw error
        return readEach(signal)
      }),
  })

async function readEach(signal: AbortSignal): Promise<OwnedLink[]> {
  const devices = await client.devices.list({ query: { type: 'tracker' } }, { signal })
  const lists = devices.map(async ({ id, name }) => {
    const links = await client.links.listOf({ params: { id } }, { signal })
    return links.map((link) => ({ ...link, device: id, device_name: name }))
  })
  return (await Promise.all(lists)).flat()
}
