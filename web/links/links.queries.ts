import { queryOptions } from '@tanstack/react-query'
import { links, type PublicLink } from '#contracts/links.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'
import { orMissing } from '#web/lib/api/features.ts'
import { devicesApi } from '#web/trackers/trackers.queries.ts'

export const linksApi = createClient(links, clientPorts)

export type OwnedLink = PublicLink & { device: number; device_name: string }

/** `all` is a prefix of the other keys: a change made in one dialog invalidates every list. */
export const linkKeys = { all: ['links'], tracker: (id: number) => ['links', id], account: ['links', 'all'] } as const

/** Newest first. */
export const trackerLinksQuery = (id: number) =>
  queryOptions({ queryKey: linkKeys.tracker(id), queryFn: ({ signal }) => readTrackerLinks(id, signal) })

/** All links of the account. Falls back to one request per tracker for backends without that list. */
export const allPublicLinksQuery = () =>
  queryOptions({
    queryKey: linkKeys.account,
    queryFn: async ({ signal }) =>
      (await orMissing<OwnedLink[] | null>('accountLinks', () => linksApi.list({}, { signal }), null)) ?? listLinksPerTracker(signal),
  })

const readTrackerLinks = (id: number, signal: AbortSignal) => orMissing('links', () => linksApi.listOf({ params: { id } }, { signal }), [])

async function listLinksPerTracker(signal: AbortSignal): Promise<OwnedLink[]> {
  const devices = await devicesApi.list({ query: { type: 'tracker' } }, { signal })
  const lists = devices.map(async ({ id, name }) => {
    const links = await readTrackerLinks(id, signal)
    return links.map((link) => ({ ...link, device: id, device_name: name }))
  })
  return (await Promise.all(lists)).flat()
}
