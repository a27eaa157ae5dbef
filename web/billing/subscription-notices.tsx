import { Button } from '@mantine/core'
import { IconCoinOff, IconCreditCard } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { Price } from '#contracts/billing/subscriptions.ts'
import { hasTaxNote } from '#contracts/rules/price.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { Empty } from '#web/ui/feedback/notice.tsx'
import classes from './selector.module.css'

export function NoTrackerNotice() {
  const { t } = useTranslation()
  const canAdd = useFeature('trackers')
  return (
    <Empty
      icon={<IconCreditCard size={30} />}
      title={t('trackers.none')}
      action={
        canAdd && (
          <Button component={Link} to="/trackers/add" h={44}>
            {t('title.trackerAdd')}
          </Button>
        )
      }
    >
      {t('subscriptions.trackerFirst')}
    </Empty>
  )
}

/** With a backend whose settings have no currency there is nothing to change. */
export function NoPlansNotice({ hasCurrency }: { hasCurrency: boolean }) {
  const { t } = useTranslation()
  return (
    <Empty
      icon={<IconCoinOff size={30} />}
      title={t('subscriptions.none')}
      action={
        hasCurrency && (
          <Button component={Link} to="/account" variant="default" h={44}>
            {t('nav.settings')}
          </Button>
        )
      }
    >
      {hasCurrency && t('subscriptions.noneLead')}
    </Empty>
  )
}

/** Says why prices are not in the currency of the account. */
export function CurrencyNote({ currency }: { currency: string | null }) {
  const { t } = useTranslation()
  return currency ? <p className={classes.pro}>{t('subscriptions.otherCurrency', { currency: currency.toUpperCase() })}</p> : null
}

/** Subscriptions of pro accounts are not sold in the portal. */
export function ProNote() {
  const { t } = useTranslation()
  return (
    <p className={classes.pro}>
      {t('subscriptions.pro')} <Link to="/contact_us">{t('nav.help')}</Link>
    </p>
  )
}

export function TaxNote({ prices }: { prices: readonly Price[] }) {
  const { t } = useTranslation()
  return prices.some(({ tax_behavior }) => hasTaxNote(tax_behavior)) ? <small>{t('subscriptions.taxNote')}</small> : null
}
