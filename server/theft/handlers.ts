import type { theft as contract } from '#contracts/conflicts.ts'
import { Failure } from '#server/lib/errors.ts'
import type { Handlers } from '#server/lib/serve.ts'

const pending = () => {
  throw new Failure('unavailable')
}

export const theft: Handlers<typeof contract> = {
  form: pending,
}
