import type { FastifyInstance, FastifyRequest } from 'fastify'
import { handOff } from '#contracts/accounts/hand-off.ts'
import { factorSignIn } from '#contracts/accounts/second-factor.ts'
import { sessions } from '#contracts/accounts/sessions.ts'
import type { ErrorCode } from '#contracts/lib/errors.ts'
import { count } from '#server/lib/counts.ts'
import { findErrorCode } from '#server/lib/errors.ts'

type MessageOutcome = 'accepted' | 'invalid_key' | 'unknown_tracker' | 'invalid' | 'throttled' | 'unavailable' | 'failed'
type SignInOutcome = 'accepted' | 'second_factor' | 'wrong_password' | 'wrong_code' | 'expired' | 'throttled' | 'failed'

const MESSAGE_OUTCOMES: Partial<Record<ErrorCode, MessageOutcome>> = {
  invalid_device_key: 'invalid_key',
  unknown_tracker: 'unknown_tracker',
  throttled: 'throttled',
  unavailable: 'unavailable',
  server_error: 'failed',
}

const SIGN_IN_OUTCOMES: Partial<Record<ErrorCode, SignInOutcome>> = {
  second_factor: 'second_factor',
  invalid_credentials: 'wrong_password',
  invalid_code: 'wrong_code',
  expired: 'expired',
  not_found: 'expired',
  throttled: 'throttled',
}

const SIGN_INS: readonly string[] = [sessions.signIn, factorSignIn.complete, factorSignIn.passkey, handOff.redeem].map(({ path }) => path)

/** Every address at which trackers and networks report: that of the API, and those of phones and networks. */
const isMessage = ({ routeOptions: { url = '', config } }: FastifyRequest) =>
  config?.route?.access === 'device' || url.startsWith('/ingest/')

const isSignIn = ({ routeOptions: { url = '' }, method }: FastifyRequest) => method === 'POST' && SIGN_INS.includes(url)

/** Counts messages and sign-ins by outcome, whichever hook or handler rejects them. */
export function countRequests(app: FastifyInstance) {
  app.addHook('onError', async (request, _, error) => {
    const code = findErrorCode(error)
    if (isMessage(request)) count(request.world.db, 'device_messages_total', { outcome: MESSAGE_OUTCOMES[code] ?? 'invalid' })
    if (isSignIn(request)) count(request.world.db, 'sign_ins_total', { outcome: SIGN_IN_OUTCOMES[code] ?? 'failed' })
  })
  app.addHook('onResponse', async (request, { statusCode }) => {
    if (statusCode >= 400) return
    if (isMessage(request)) count(request.world.db, 'device_messages_total', { outcome: 'accepted' })
    if (isSignIn(request)) count(request.world.db, 'sign_ins_total', { outcome: 'accepted' })
  })
}
