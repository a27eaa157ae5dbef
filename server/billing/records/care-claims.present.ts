import type { CareClaim, CareCover, ListedCareClaim } from '#contracts/billing/care-claims.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import { type ClaimRow, discountPrice, type ListedClaim } from './care-claims.store.ts'
import type { PriceRow } from './subscriptions.store.ts'

export const presentClaim = (claim: ClaimRow): CareClaim => ({
  id: claim.id,
  device: claim.deviceId,
  reason: claim.reason,
  description: claim.description,
  delivery: claim.delivery,
  status: claim.status,
  created_at: formatInstant(claim.createdAt),
  closed_at: claim.closedAt && formatInstant(claim.closedAt),
  order: claim.orderReference,
})

export const presentListedClaim = ({ claim, tracker, owner }: ListedClaim): ListedCareClaim => ({ ...presentClaim(claim), tracker, owner })

type Cover = { plan: PriceRow | undefined; price: PriceRow | undefined; claim: ClaimRow | undefined }

export const presentCover = ({ plan, price, claim }: Cover): CareCover => ({
  has_plan: plan !== undefined,
  replacement: price
    ? {
        full_amount: price.unitAmount,
        unit_amount: discountPrice(price).unitAmount,
        currency: price.currency,
        tax_behavior: price.taxBehavior,
      }
    : null,
  claim: claim ? presentClaim(claim) : null,
})
