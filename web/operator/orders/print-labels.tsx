import { useSuspenseQueries } from '@tanstack/react-query'
import { useEffect } from 'react'
import { createPortal } from 'react-dom'
import type { OperatorOrderDetails } from '#contracts/operator/orders.ts'
import classes from './order-details.module.css'
import { operatorOrderQuery } from './orders.queries.ts'

/** What is written on the parcel of an order; undefined without an address. */
export const writeLabel = ({ address, reference }: Pick<OperatorOrderDetails, 'address' | 'reference'>) =>
  address ? [...address, reference].join('\n') : undefined

type Props = { references: readonly string[]; onPrinted: () => void }

/** Prints the labels of several orders, each on a sheet. Orders without an address have none. */
export function PrintLabels({ references, onPrinted }: Props) {
  const orders = useSuspenseQueries({ queries: references.map(operatorOrderQuery) }).map(({ data }) => data)
  const labels = orders.flatMap((order) => (order && writeLabel(order)) ?? [])
  useEffect(() => {
    window.addEventListener('afterprint', onPrinted, { once: true })
    window.print()
    return () => window.removeEventListener('afterprint', onPrinted)
  }, [onPrinted])
  return createPortal(
    <ul className={classes.sheets}>
      {labels.map((label) => (
        <li key={label}>{label}</li>
      ))}
    </ul>,
    document.body,
  )
}
