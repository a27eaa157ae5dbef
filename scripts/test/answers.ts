import { type ErrorCode, errors } from '#contracts/lib/errors.ts'
import { type Contract, getSuccess, listErrorCodes } from '#contracts/lib/route.ts'

/** Errors that every endpoint returns in the same way, so one test suffices for all of them. */
const COMMON_ERRORS: readonly ErrorCode[] = ['throttled', 'server_error', 'unavailable']

/** Documented because the endpoint has a parameter, but its own error code takes precedence. */
const UNREACHABLE = new Set(['GET /tracker_public_share_links/:uuid/ 404 not_found'])

/** All documented responses, in the format written by `noteAnswers`. */
export const listDocumentedResponses = (api: Record<string, Contract>) =>
  Object.values(api).flatMap((contract) =>
    Object.values(contract).flatMap((route) => {
      const call = `${route.method} ${route.path}`
      const failures = listErrorCodes(route).filter((code) => !COMMON_ERRORS.includes(code))
      return [`${call} ${getSuccess(route).status} -`, ...failures.map((code) => `${call} ${errors[code]} ${code}`)]
    }),
  )

export const findUnseenResponses = (api: Record<string, Contract>, seen: ReadonlySet<string>) =>
  listDocumentedResponses(api).filter((line) => !seen.has(line) && !UNREACHABLE.has(line))
