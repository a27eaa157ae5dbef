import { factorSignIn } from '#contracts/accounts/second-factor.ts'
import { normalizeCode } from '#contracts/rules/reading/text.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'

export const factorApi = createClient(factorSignIn, clientPorts)

/** Six digits are a code of the app; anything else is a recovery code. */
export const readProof = (typed: string) => (/^\d{6}$/.test(normalizeCode(typed)) ? { code: typed } : { recovery_code: typed })
