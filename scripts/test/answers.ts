import { type ErrorCode, errors } from '#contracts/lib/errors.ts'
import { type Contract, errorsOf, successOf } from '#contracts/lib/route.ts'

/** What any call can answer and each one alike: shown once for all of them, not by each. */
const OF_ALL: readonly ErrorCode[] = ['throttled', 'server_error', 'unavailable']

/** Declared because the call has a parameter, though its own code comes first. */
const NEVER = new Set(['GET /tracker_public_share_links/:uuid/ 404 not_found'])

/** Every way to answer that the table documents, as `noteAnswers` writes it. */
export const documented = (api: Record<string, Contract>) =>
  Object.values(api).flatMap((contract) =>
    Object.values(contract).flatMap((route) => {
      const call = `${route.method} ${route.path}`
      const failures = errorsOf(route).filter((code) => !OF_ALL.includes(code))
      return [`${call} ${successOf(route).status} -`, ...failures.map((code) => `${call} ${errors[code]} ${code}`)]
    }),
  )

/** Documented ways to answer that no test has seen. */
export const unseen = (api: Record<string, Contract>, seen: ReadonlySet<string>) =>
  documented(api).filter((line) => !seen.has(line) && !NEVER.has(line))
