import type { Contract, RequestOf } from '#contracts/lib/route.ts'

/** Key of a seeded person; null sends no session. */
export type Caller = 'alice' | 'chloe' | 'george' | 'newcomer' | 'zoe' | 'admin' | 'support' | 'usha' | null

/**
 * A request that succeeds in the seeded world. The API reference shows it with its real response, and sweeps and fuzzing start from it.
 * `as` defaults to alice; `after` names requests that must come first in the same world.
 */
export type Example<R = unknown> = RequestOf<R> & { as?: Caller; after?: `${string}.${string}`[] }

export type Examples<C extends Contract> = { [K in keyof C]: Example<C[K]> }
