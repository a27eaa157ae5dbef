import { useSearchParams } from 'react-router-dom'
import { Shop } from '#web/billing/shop/shop.tsx'
import { PriceIncrease } from './price-increase.tsx'
import { Returned } from './returned.tsx'

/** Choosing, renewing and extending; coming back from the card provider; why prices have changed. */
export default function SubscriptionScreen() {
  const [params] = useSearchParams()
  if (params.get('message') === 'price_increase') return <PriceIncrease />
  if (params.get('checkout') === 'success') return <Returned />
  return <Shop key={params.get('devices')} />
}
