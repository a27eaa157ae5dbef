import { infiniteQueryOptions } from '@tanstack/react-query'
import type { AnnouncementState } from '#contracts/operator/announcements.ts'
import { announcementsApi } from '#web/operator/session/operator.api.ts'

export const ANNOUNCEMENTS_KEY = ['operator announcements']

/** Newest first. */
export const operatorAnnouncementsQuery = (state: AnnouncementState | undefined) =>
  infiniteQueryOptions({
    queryKey: [...ANNOUNCEMENTS_KEY, state ?? 'all'],
    queryFn: ({ pageParam, signal }) =>
      announcementsApi.list({ query: { ...(state && { state }), ...(pageParam && { before: pageParam }) } }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })
