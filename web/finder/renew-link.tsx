import { Button } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { monthlyPrice } from '#contracts/rules/price.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { buildOffer, priceTerm } from '#web/billing/offer.ts'
import { pricesQuery } from '#web/billing/subscriptions.queries.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { settingsQuery } from '#web/signed-in/account.queries.ts'

/** Leads to the plans of a tracker whose subscription has ended, with the lowest price per month once the prices are read. */
export function RenewLink({ device }: { device: Device }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const [prices, settings] = useQueries({ queries: [pricesQuery(), settingsQuery()] })
  const { plans } = buildOffer(prices.data ?? [], settings.data?.currency ?? prices.data?.[0]?.currency ?? '')
  const monthly = plans.map((plan) => monthlyPrice(plan.unit_amount, priceTerm(plan).months) ?? plan.unit_amount)
  const price = plans[0] && formats.price(Math.min(...monthly), plans[0].currency)
  return (
    <Button component={Link} to={`/subscription?devices=${encodeURIComponent(device.id)}`} h={44} mt={10} fullWidth>
      {price ? t('finder.renewFrom', { price }) : t('finder.renew')}
    </Button>
  )
}
