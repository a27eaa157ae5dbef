/** What the host app can open, as bits of one integer. */
export const DeeplinkFlag = { FindMy: 1, RealtimeBoost: 2 } as const
export type DeeplinkFlag = (typeof DeeplinkFlag)[keyof typeof DeeplinkFlag]

/** The capability integer from a query or from storage; negative, fractional, worded or absent is 0 (D-31). */
export const parseDeeplink = (text: string | null): number => {
  const capability = /^\d+$/.test(text ?? '') ? Number(text) : 0
  return Number.isSafeInteger(capability) ? capability : 0
}

/** Unknown higher bits don't matter. */
export const hasDeeplink = (capability: number, flag: DeeplinkFlag) => capability > 0 && (capability & flag) !== 0

/** Where /deep-link?target= leads, by allow-list; null is the app-needs-update page. */
export const deepLinkPath = (target: string | null, capability: number) => {
  if (target === 'findmy' && hasDeeplink(capability, DeeplinkFlag.FindMy)) return '/app/native/findmy'
  if (target === 'rtb' && hasDeeplink(capability, DeeplinkFlag.RealtimeBoost)) return '/app/native/rtb'
  return null
}
