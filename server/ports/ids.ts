import { randomBytes, randomUUID } from 'node:crypto'

/** The only source of unguessable values. */
export type Ids = {
  uuid(): string
  /** 40 hex digits. */
  token(): string
}

export const systemIds: Ids = { uuid: () => randomUUID(), token: () => randomBytes(20).toString('hex') }
