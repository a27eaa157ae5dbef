import { type Contract, stream } from '#contracts/lib/route.ts'

export const EVENT_TYPES = ['request', 'mail', 'webhook', 'alert', 'clock', 'contract', 'job', 'downlink', 'hook'] as const
export type EventType = (typeof EVENT_TYPES)[number]

/** Streams the events of the request's world. */
export const events = {
  watch: {
    method: 'GET',
    path: '/mock/events',
    summary: `Tells what happens in the world as server-sent events: ${EVENT_TYPES.join(', ')}`,
    access: 'public',
    response: { 200: stream('text/event-stream') },
    safety: 'read',
    provenance: 'assumed',
  },
} as const satisfies Contract
