import type { secondFactor as contract, passkeys as passkeysContract } from '#contracts/accounts/second-factor.ts'
import { challengeUser } from '#server/accounts/factors/factors.ts'
import type { Handlers } from '#server/http/serve.ts'
import {
  confirmFirstCode,
  createPasskey,
  createPasskeyOptions,
  presentPasskey,
  readState,
  renameOwnPasskey,
  replaceRecoveryCodes,
  startTotp,
  turnPasskeyOff,
  turnTotpOff,
} from './second-factor.ts'

export const secondFactor: Handlers<typeof contract> = {
  read: (_, context) => readState(context),
  challenge: (_, context) => challengeUser(context, context.viewer.userId),
  startTotp: (_, context) => startTotp(context),
  async confirmTotp({ body }, context) {
    return { recovery_codes: await confirmFirstCode(context, body.code) }
  },
  async removeTotp({ body }, context) {
    await turnTotpOff(context, body)
    return readState(context)
  },
  async recoveryCodes({ body }, context) {
    return { recovery_codes: await replaceRecoveryCodes(context, body) }
  },
}

export const passkeys: Handlers<typeof passkeysContract> = {
  options: (_, context) => createPasskeyOptions(context),
  create: ({ body }, context) => createPasskey(context, body),
  async rename({ params, body }, context) {
    return presentPasskey(await renameOwnPasskey(context, params.id, body.name))
  },
  async remove({ params, body }, context) {
    await turnPasskeyOff(context, params.id, body)
    return readState(context)
  },
}
