import type { MailFailure } from '#db/schema/messages.ts'

/** `failed`: tried again; `refused`: permanently rejected by the mail server; `given_up`: after the last attempt. */
export type MailOutcome = 'sent' | 'failed' | 'refused' | 'given_up'

type SmtpError = { code?: unknown; command?: unknown; responseCode?: unknown; syscall?: unknown; timeoutType?: unknown }

const readError = (error: unknown) => (error instanceof Error ? error : {}) as SmtpError

/** Response codes that concern our own access to the mail server. */
const ACCESS_CODES = [530, 534, 535, 538]
const SERVER_CODES = ['EDNS', 'EAUTH', 'EOAUTH2', 'ENOAUTH', 'ETLS', 'EPROTOCOL', 'EPROXY']

/**
 * `isRefused`: the mail server permanently rejected the recipient or the message. A wrong password or a rejected sender can be corrected.
 * `isServerDown`: no other mail could be sent either.
 */
export function classifyFailure(error: unknown) {
  const { code, command, responseCode, syscall, timeoutType } = readError(error)
  const isPermanent = typeof responseCode === 'number' && responseCode >= 500 && !ACCESS_CODES.includes(responseCode)
  const isOfMail = (code === 'EENVELOPE' && command !== 'MAIL FROM') || code === 'EMESSAGE'
  const isNotReached = syscall === 'connect' || (code === 'ETIMEDOUT' && timeoutType !== undefined && timeoutType !== 'SOCKET_TIMEOUT')
  return { isRefused: isPermanent && isOfMail, isServerDown: isNotReached || SERVER_CODES.includes(String(code)) }
}

const MAX_MESSAGE = 300

/** Describes for the log and the operator why a mail was not sent; addresses and keys are removed, because a server may repeat them. */
export function describeFailure(error: unknown, host: string): MailFailure {
  const message = error instanceof Error ? error.message : String(error)
  const hidden = message
    .replace(/[^\s<>@"',;:]+@[^\s<>@"',;:]+/g, '…')
    .replace(/\b([0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{40})\b/gi, '…')
    .replace(/\s+/g, ' ')
  return { reason: String(readError(error).code ?? 'unknown'), host, message: hidden.slice(0, MAX_MESSAGE) }
}
