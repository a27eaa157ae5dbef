/** Features the host app can open, as bits of one integer. */
export const DeeplinkFlag = { FindMy: 1, RealtimeBoost: 2 } as const
export type DeeplinkFlag = (typeof DeeplinkFlag)[keyof typeof DeeplinkFlag]

/** Parses the capability integer from a query or from storage; anything but a non-negative integer is 0. */
export const parseDeeplink = (text: string | null): number => {
  const capability = /^\d+$/.test(text ?? '') ? Number(text) : 0
  return Number.isSafeInteger(capability) ? capability : 0
}

/** Unknown higher bits are ignored. */
export const hasDeeplink = (capability: number, flag: DeeplinkFlag) => capability > 0 && (capability & flag) !== 0

/** The path to which /deep-link?target= redirects, from an allow-list; null leads to the page that asks for an app update. */
export const deepLinkPath = (target: string | null, capability: number) => {
  if (target === 'findmy' && hasDeeplink(capability, DeeplinkFlag.FindMy)) return '/app/native/findmy'
  if (target === 'rtb' && hasDeeplink(capability, DeeplinkFlag.RealtimeBoost)) return '/app/native/rtb'
  return null
}
