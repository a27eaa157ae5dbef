import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { OperatorPrice, PriceChange } from '#contracts/operator/prices.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { Buttons, Facts, Note, Section } from '#web/operator/workbench/workbench.tsx'
import { PriceChanges } from './price-changes.tsx'
import { usePriceWords } from './use-price-words.ts'

type Props = {
  price: OperatorPrice
  /** Absent for roles that may only look. */
  onSet?: (price: OperatorPrice) => void
  onWithdraw?: (change: PriceChange) => void
}

/** What a price is now, what is coming, and what it was. */
export function PriceDetails({ price, onSet, onWithdraw }: Props) {
  const { t } = useTranslation()
  const formats = useFormats()
  const { amountFrom, day } = usePriceWords()
  const { name, currency, amount, months, coming } = price
  return (
    <>
      <h2>{`${name} ${currency.toUpperCase()}`}</h2>
      <Facts
        facts={[
          [t('operator.prices.now'), formats.price(amount, currency)],
          [t('operator.codes.months'), months > 0 && formats.number(months)],
          [t('operator.prices.id'), price.id],
        ]}
      />
      {onSet && (
        <Buttons>
          <Button h={44} onClick={() => onSet(price)}>
            {t('operator.prices.set')}
          </Button>
        </Buttons>
      )}
      <Section title={t('operator.prices.coming')}>
        {coming.length === 0 && <Note>{t('operator.prices.noneComing')}</Note>}
        {coming.map((change) => (
          <div key={change.id}>
            <strong>{amountFrom(change)}</strong>
            <Facts
              facts={[
                [t('operator.prices.running'), change.running === 'change' ? t('operator.prices.change') : t('operator.prices.keep')],
                [t('operator.prices.mailsFrom'), change.mails_from && day(change.mails_from)],
                ...countsOf(change).map(([word, count]) => [t(`operator.prices.${word}`), formats.number(count)] as const),
                [t('operator.prices.by'), change.created_by],
              ]}
            />
            {onWithdraw && (
              <Buttons>
                <Button variant="default" h={44} onClick={() => onWithdraw(change)}>
                  {t('operator.prices.withdraw')}
                </Button>
              </Buttons>
            )}
          </div>
        ))}
      </Section>
      <PriceChanges price={price.id} />
    </>
  )
}

/** Only amounts that meet running renewals have them. */
const countsOf = ({ running, noticed, changed, failing }: PriceChange) =>
  running === 'change'
    ? ([
        ['noticed', noticed],
        ['changed', changed],
        ['failing', failing],
      ] as const)
    : []
