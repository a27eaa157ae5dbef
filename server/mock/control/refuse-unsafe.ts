import type { Config } from '#server/config.ts'
import { isLiveKey } from '#server/ports/payment-calls.ts'

const LOOPBACK = ['127.0.0.1', '::1', 'localhost']

export function refuseUnsafe(config: Config) {
  if (config.NODE_ENV === 'production')
    throw new Error('The mock server does not run with NODE_ENV=production. Start dist/server/main.js instead.')
  for (const name of ['STRIPE_SECRET_KEY', 'STRIPE_PUBLIC_KEY'] as const)
    if (isLiveKey(config[name] ?? '')) throw new Error(`The mock server does not run with live payment keys. Remove ${name}.`)
  if (config.MODE === 'demo') return refuseMail(config)
  if (!LOOPBACK.includes(config.HOST) && !config.CONTROL_TOKEN) {
    throw new Error(`Others could reach the control plane on ${config.HOST}. Set CONTROL_TOKEN (24 characters or more), or HOST=127.0.0.1.`)
  }
}

/**
 * Visitors can enter any e-mail address, so a demo must not send mail. Its control plane is limited to each visitor's own world and needs
 * no token.
 */
function refuseMail({ SMTP_URL }: Config) {
  if (SMTP_URL) throw new Error('The demo sends no mail: each visitor reads it in the demo bar. Remove SMTP_URL.')
}
