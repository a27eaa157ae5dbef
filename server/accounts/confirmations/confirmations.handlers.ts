import type { confirmations as contract } from '#contracts/confirmations.ts'
import type { Handlers } from '#server/http/serve.ts'
import { confirmEmailChange, requestEmailChange } from './change-email.ts'
import { confirmEmail, resendConfirmation } from './confirm.ts'

export const confirmations: Handlers<typeof contract> = {
  async confirm({ body }, context) {
    return { status: await confirmEmail(context, body.key) }
  },
  async resend({ body }, context) {
    await resendConfirmation(context, body.key)
    return { sent: true }
  },
  async change({ body }, context) {
    await requestEmailChange(context, body)
    return { sent: true }
  },
  async confirmChange({ body }, context) {
    return { status: 'confirmed', email: await confirmEmailChange(context, body.key) }
  },
}
