import { useSearchParams } from 'react-router-dom'
import { Shop } from '#web/billing/shop/shop.tsx'
import { CheckoutReturn } from './checkout-return.tsx'
import { PriceIncrease } from './price-increase.tsx'

export default function SubscriptionScreen() {
  const [params] = useSearchParams()
  if (params.get('message') === 'price_increase') return <PriceIncrease />
  if (params.get('checkout') === 'success') return <CheckoutReturn />
  return <Shop key={params.get('devices')} />
}
