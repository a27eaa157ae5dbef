import type { links as contract } from '#contracts/links.ts'
import { Failure } from '#server/lib/errors.ts'
import type { Handlers } from '#server/lib/serve.ts'

const pending = () => {
  throw new Failure('unavailable')
}

export const links: Handlers<typeof contract> = {
  listOf: pending,
  create: pending,
  remove: pending,
  list: pending,
  read: pending,
}
