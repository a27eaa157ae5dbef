import { randomBytes, randomUUID } from 'node:crypto'

/** The only source of what nobody must guess. */
export type Ids = {
  uuid(): string
  /** 40 hex digits (D-36). */
  token(): string
}

export const systemIds: Ids = { uuid: () => randomUUID(), token: () => randomBytes(20).toString('hex') }
