export const PREFLIGHT = ['preflight.tls', 'preflight.cors', 'preflight.slash', 'preflight.json', 'preflight.clock'] as const
export type Preflight = (typeof PREFLIGHT)[number]
