import { Button } from '@mantine/core'
import { IconShieldHeart } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Price } from '#contracts/subscriptions.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { periodWords } from '#web/lib/i18n/words.ts'
import classes from './shop.module.css'

const CARE = 'care'
/** Discount of the care option on a replacement tracker, as a fraction. */
const CARE_DISCOUNT = 0.5

type Props = { option: Price; isAdded: boolean; isHeld: boolean; onToggle: () => void }

/** An option such as care, which a tracker has at most once. */
export function OptionLine({ option, isAdded, isHeld, onToggle }: Props) {
  const { t } = useTranslation()
  const formats = useFormats()
  const isCare = option.name === CARE
  const name = isCare ? t('subscriptions.care') : option.name
  return (
    <div className={classes.option}>
      <IconShieldHeart size={22} aria-hidden="true" />
      <p>
        <strong>{name}</strong>
        {isCare && <small>{t('subscriptions.careLead', { percent: formats.percent(CARE_DISCOUNT) })}</small>}
      </p>
      <p className={classes.amount}>
        <strong>{formats.price(option.unit_amount, option.currency)}</strong>
        <small>{periodWords(t, option.recurring)}</small>
      </p>
      {isHeld ? (
        <small>{t('subscriptions.included')}</small>
      ) : (
        <Button
          variant="default"
          h={44}
          onClick={onToggle}
          aria-label={`${isAdded ? t('subscriptions.remove') : t('subscriptions.add')}: ${name}`}
        >
          {isAdded ? t('subscriptions.remove') : t('subscriptions.add')}
        </Button>
      )}
    </div>
  )
}
