import { Button } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { STOCK_STEPS, type StockStep } from '#contracts/operator/stock.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { Buttons, Facts, Section } from '#web/operator/workbench/workbench.tsx'
import type { Blocking } from './block-dialog.tsx'
import { itemQuery } from './stock.queries.ts'
import classes from './stock-screen.module.css'
import { StockStateBadge } from './stock-state.tsx'

type Props = {
  identifier: string
  /** Absent for roles that may only look. */
  onBlock?: (blocking: Blocking) => void
}

/** A tracker of the stock, and what happened to it. */
export function ItemDetails({ identifier, onBlock }: Props) {
  const { t } = useTranslation()
  const formats = useFormats()
  const { data: found } = useSuspenseQuery(itemQuery(identifier))
  if (!found) return <p>{t('operator.stock.none')}</p>
  const { item, history } = found
  const isBlocked = item.state === 'blocked'
  return (
    <>
      <h2>{item.identifier}</h2>
      <StockStateBadge state={item.state} />
      <Facts
        facts={[
          [t('operator.stock.serial'), item.serial],
          [t('operator.stock.type'), item.type],
          [t('operator.stock.board'), item.board],
          [t('operator.stock.batch'), item.batch],
          [t('operator.stock.months'), formats.number(item.months)],
          [t('operator.orders.order'), item.order],
        ]}
      />
      {onBlock && (
        <Buttons>
          <Button variant="default" h={44} onClick={() => onBlock({ identifiers: [item.identifier], isBlocked: !isBlocked })}>
            {t(isBlocked ? 'operator.stock.unblock' : 'operator.stock.block')}
          </Button>
        </Buttons>
      )}
      <Section title={t('operator.stock.history')}>
        <ul className={classes.steps}>
          {history.map((step) => (
            <Step key={`${step.at} ${step.what}`} step={step} />
          ))}
        </ul>
      </Section>
    </>
  )
}

function Step({ step: { at, what, who, account, detail } }: { step: StockStep }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const known = pickListed(STOCK_STEPS, what, null)
  const words = known ? t(`operator.stock.steps.${known}`, { account: account ?? '–' }) : what
  return (
    <li>
      <span>{words}</span>
      <small>{[at ? formats.dateTime(at) : t('operator.stock.timeUnknown'), who, detail].filter(Boolean).join(' · ')}</small>
    </li>
  )
}
