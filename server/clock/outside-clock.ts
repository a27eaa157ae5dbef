/** Any answer has the time, also a refusal. */
const ADDRESS = 'https://api.stripe.com/'
const PATIENCE_MS = 5000

/** Reads the time at the card provider, over TLS; null when it does not answer. */
export async function readOutsideClock(): Promise<Date | null> {
  try {
    const { headers } = await fetch(ADDRESS, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(PATIENCE_MS) })
    const at = new Date(headers.get('date') ?? '')
    return Number.isNaN(at.getTime()) ? null : at
  } catch {
    return null
  }
}
