import { factorSignIn } from '#contracts/accounts/second-factor.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'

export const factorApi = createClient(factorSignIn, clientPorts)
