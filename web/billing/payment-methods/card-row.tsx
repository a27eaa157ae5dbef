import { Button } from '@mantine/core'
import { IconCreditCard, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PaymentMethod } from '#contracts/payment-methods.ts'
import { useNow } from '#web/lib/clock.ts'
import { Badge } from '#web/ui/badge.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { cardEnd, cardName, isExpired } from './card-words.ts'
import { DeleteCard } from './delete-card.tsx'
import classes from './payment-methods.module.css'
import { useMakeDefault } from './use-make-default.ts'

export function CardRow({ card }: { card: PaymentMethod }) {
  const { t } = useTranslation()
  const now = useNow()
  const [isDeleting, setDeleting] = useState(false)
  const { makeDefault, isBusy, hasFailed } = useMakeDefault()
  const name = cardName(card)
  return (
    <li className={classes.card}>
      <IconCreditCard size={24} aria-hidden="true" />
      <span className={classes.what}>
        <strong>{name}</strong>
        <small>{t('purchases.validUntil', { date: cardEnd(card) })}</small>
        {(card.is_default || isExpired(card, now)) && (
          <span className={classes.badges}>
            {card.is_default && <Badge tone="good">{t('purchases.default')}</Badge>}
            {isExpired(card, now) && <Badge tone="bad">{t('purchases.expired')}</Badge>}
          </span>
        )}
      </span>
      <span className={classes.buttons}>
        {!card.is_default && (
          <Button
            variant="default"
            h={44}
            loading={isBusy}
            aria-label={`${t('purchases.makeDefault')}: ${name}`}
            onClick={() => makeDefault(card)}
          >
            {t('purchases.makeDefault')}
          </Button>
        )}
        <IconButton label={t('action.delete')} of={name} Icon={IconTrash} onClick={() => setDeleting(true)} />
      </span>
      <FormAlert>{hasFailed ? t('error.general') : null}</FormAlert>
      {isDeleting && <DeleteCard card={card} onClose={() => setDeleting(false)} />}
    </li>
  )
}
