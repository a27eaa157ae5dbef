import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import { LEGACY_THREE_YEAR, yearlyPrice } from '#contracts/rules/price.ts'
import classes from '#web/billing/shop/shop.module.css'
import { Shop } from '#web/billing/shop/shop.tsx'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { Page } from '#web/ui/page.tsx'
import { CheckoutReturn } from './checkout-return.tsx'

export default function SubscriptionScreen() {
  const [params] = useSearchParams()
  if (params.get('message') === 'price_increase') return <PriceIncrease />
  if (params.get('checkout') === 'success') return <CheckoutReturn />
  return <Shop key={params.get('devices')} />
}

function PriceIncrease() {
  const { t } = useTranslation()
  const formats = useFormats()
  const [params] = useSearchParams()
  const { unit_amount, months, currency } = LEGACY_THREE_YEAR
  const price = formats.price(yearlyPrice(unit_amount, months) ?? 0, currency)
  const next = new URLSearchParams(params)
  next.delete('message')
  return (
    <Page isNarrow title={t('subscriptions.increaseTitle')} back={{ to: '/subscriptionSelector', label: t('nav.plans') }}>
      <div className={classes.facts}>
        <p>{t('subscriptions.increasePlans')}</p>
        <p>{t('subscriptions.increaseLegacy', { price })}</p>
        <p>{t('subscriptions.increaseOwn')}</p>
      </div>
      <Button component={Link} to={{ search: next.size > 0 ? `?${next}` : '' }} h={44}>
        {t('subscriptions.continue')}
      </Button>
    </Page>
  )
}
