import type { conflicts as contract } from '#contracts/conflicts.ts'
import { Failure } from '#server/lib/errors.ts'
import type { Handlers } from '#server/lib/serve.ts'

const pending = () => {
  throw new Failure('unavailable')
}

export const conflicts: Handlers<typeof contract> = {
  requestUnlink: pending,
}
