import type { Contract, RequestOf } from '#contracts/lib/route.ts'

/** A seeded person's key; null calls without a session. */
export type Caller = 'alice' | 'chloe' | 'george' | 'zoe' | 'admin' | 'support' | 'usha' | null

/**
 * One call as it succeeds in the seeded world: it stands in the API reference with what was really answered, and sweeps and
 * fuzz start from it. `as` is alice unless said otherwise; `after` are calls that must have been made in the same world.
 */
export type Example<R = unknown> = RequestOf<R> & { as?: Caller; after?: `${string}.${string}`[] }

export type Examples<C extends Contract> = { [K in keyof C]: Example<C[K]> }
