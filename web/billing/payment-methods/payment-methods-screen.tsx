import { Button } from '@mantine/core'
import { IconCreditCard, IconPlus, IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PaymentMethod } from '#contracts/billing/payment-methods.ts'
import { billingApi, billingKeys, cardsQuery } from '#web/billing/billing.queries.ts'
import { cardExpiry, cardName, isCardExpired } from '#web/billing/card.ts'
import { FailedInvoice } from '#web/billing/failed-invoice.tsx'
import { useBillingPortal } from '#web/billing/provider-page.ts'
import { ApiError, ignoreGone, wordsOf } from '#web/lib/api/api-error.ts'
import { useNow } from '#web/lib/clock.ts'
import { showToast } from '#web/lib/toasts.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Empty } from '#web/ui/feedback/notice.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { Page } from '#web/ui/page.tsx'
import classes from './payment-methods.module.css'

export default function PaymentMethodsScreen() {
  const { t } = useTranslation()
  const portal = useBillingPortal()
  const add = (
    <Button h={44} leftSection={<IconPlus size={18} />} loading={portal.isOpening} onClick={portal.open}>
      {t('purchases.addCard')}
    </Button>
  )
  const hasCards = (useQuery({ ...cardsQuery(), enabled: false }).data ?? []).length > 0
  return (
    <Page isNarrow isInAccount title={t('title.paymentMethods')} lead={t('purchases.cardsLead')} actions={hasCards && add}>
      <FailedInvoice />
      <div className={classes.problem}>
        <FormAlert>{portal.hasFailed ? t(wordsOf(portal.error)) : null}</FormAlert>
      </div>
      <Part skeleton={<SkeletonRows count={2} />}>
        <Cards add={add} />
      </Part>
    </Page>
  )
}

function Cards({ add }: { add: ReactNode }) {
  const { t } = useTranslation()
  const cards = useSuspenseQuery(cardsQuery()).data
  if (cards.length === 0)
    return (
      <Empty icon={<IconCreditCard size={30} />} title={t('purchases.noCard')} action={add}>
        {t('purchases.noCardLead')}
      </Empty>
    )
  return (
    <ul className={classes.cards}>
      {cards.map((card) => (
        <CardRow key={card.id} card={card} />
      ))}
    </ul>
  )
}

function CardRow({ card }: { card: PaymentMethod }) {
  const { t } = useTranslation()
  const now = useNow()
  const [isDeleting, setDeleting] = useState(false)
  const { makeDefault, isBusy, error, hasFailed } = useMakeDefaultCard()
  const name = cardName(card)
  return (
    <li className={classes.card}>
      <IconCreditCard size={24} aria-hidden="true" />
      <span className={classes.what}>
        <strong>{name}</strong>
        <small>{t('purchases.validUntil', { date: cardExpiry(card) })}</small>
        {(card.is_default || isCardExpired(card, now)) && (
          <span className={classes.badges}>
            {card.is_default && <Badge tone="good">{t('purchases.default')}</Badge>}
            {isCardExpired(card, now) && <Badge tone="bad">{t('purchases.expired')}</Badge>}
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
      <FormAlert>{hasFailed ? t(wordsOf(error)) : null}</FormAlert>
      {isDeleting && <DeleteCardDialog card={card} onClose={() => setDeleting(false)} />}
    </li>
  )
}

/** Makes a card the default. The toast offers to restore the previous one. */
function useMakeDefaultCard() {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { queryKey } = cardsQuery()
  const { mutate, isPending, error } = useMutation({
    mutationFn: async ({ card }: { card: PaymentMethod; isUndo: boolean }) => {
      await billingApi.cards.change({ params: { id: card.id }, body: { is_default: true } })
    },
    onSuccess: async (_, { card, isUndo }) => {
      const before = queries.getQueryData(queryKey)?.find(({ is_default }) => is_default)
      await queries.invalidateQueries({ queryKey })
      const undo = before && !isUndo ? () => mutate({ card: before, isUndo: true }) : undefined
      showToast(t('purchases.madeDefault', { card: cardName(card) }), undo)
    },
    onError: () => queries.invalidateQueries({ queryKey }),
  })
  return {
    makeDefault: (card: PaymentMethod) => mutate({ card, isUndo: false }),
    isBusy: isPending,
    error,
    hasFailed: error !== null && !(error instanceof ApiError && error.isLeaving),
  }
}

/** Confirms the deletion. The server refuses to delete the card that pays for a recurring subscription. */
function DeleteCardDialog({ card, onClose }: { card: PaymentMethod; onClose: () => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const name = cardName(card)
  const remove = async () => {
    await billingApi.cards.remove({ params: { id: card.id } }).catch(ignoreGone)
    showToast(t('purchases.cardDeleted', { card: name }))
    await queries.invalidateQueries({ queryKey: billingKeys.cards })
  }
  return (
    <ConfirmDialog
      title={t('purchases.deleteCard', { card: name })}
      action={t('action.delete')}
      isDanger
      onConfirm={remove}
      onClose={onClose}
      failure={({ code }) => (code === 'in_use' ? t('purchases.in_use') : undefined)}
    >
      <p>{t('purchases.deleteCardLead')}</p>
    </ConfirmDialog>
  )
}
