import { CARE_PLAN } from '#contracts/billing/care-claims.ts'
import type { HeldSubscription } from '#contracts/billing/subscriptions.ts'
import type { Offer } from './offer.ts'

/** Part of the address of a tracker's settings that leads to its care plan. */
export const CARE_HASH = '#care'

export const hasCarePlan = ({ options }: Offer, held: HeldSubscription | undefined) =>
  options.some(({ id, name }) => name === CARE_PLAN && held?.options.includes(id))
