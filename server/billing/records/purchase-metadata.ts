import type Stripe from 'stripe'
import type { DeviceRow } from '#db/scope.ts'
import { sha256 } from '#server/lib/secrets.ts'
import type { PriceRow } from './subscriptions.store.ts'

/** One line of a purchase. It identifies the tracker twice, because after a restore another tracker may have its id. */
export type DescribedItem = {
  device: number
  /** When the tracker was added, in milliseconds: together with the id it identifies one row. */
  addedAt: number
  /** Identifies the hardware, even after it was removed and added again; null for a tracker without numbers. */
  hardware: string | null
  price: string
  type: PriceRow['type']
  months: number
  extra: number
}

type Payer = { accountId: number; createdAt: Date }
type Sold = { device: DeviceRow; price: PriceRow }

/** Stripe's limit for the length of one value. */
const VALUE_LENGTH = 500
const HASH_LENGTH = 12
const BASE = 36

/** Metadata of a customer. A user's date of creation distinguishes the account from a later one with the same id. */
export const describePayer = ({ accountId, createdAt }: Payer) => ({
  account: String(accountId),
  account_since: String(createdAt.getTime()),
})

/** Metadata of a checkout session and its subscription: everything needed to grant the purchase without a row of ours. */
export function describePurchase(payer: Payer, sold: readonly Sold[]) {
  const devices = joinDevices(sold.map(({ device }) => device.id))
  return { ...describePayer(payer), devices, ...nameValues(joinShort(sold.map(writeItem))) }
}

/** Metadata of the checkout session of a replacement: where it is sent. */
export const describeDelivery = (delivery: string | null): Record<string, string> => (delivery === null ? {} : { delivery })

/** The address in the metadata; null without one. */
export const parseDelivery = (metadata: Stripe.Metadata | null) => metadata?.delivery ?? null

const writeItem = ({ device, price }: Sold) =>
  joinItem({
    ...{ device: device.id, addedAt: device.createdAt.getTime(), hardware: hashHardware(device) },
    ...{ price: price.id, type: price.type, months: price.months, extra: price.extra },
  })

const joinItem = ({ device, addedAt, hardware, price, type, months, extra }: DescribedItem) =>
  [device, addedAt.toString(BASE), hardware ?? '-', price, type, months, extra].join(' ')

type Renewed = { subscription: { priceId: string | null }; device: DeviceRow }

/**
 * Metadata of a subscription in which plans that have moved name their new trackers; null when none has moved. A plan has moved when no
 * tracker with its id renews at its price, but another one does. Its options move with it. Values that are no longer needed are emptied,
 * which removes them at Stripe.
 */
export function reassignItems(metadata: Stripe.Metadata, renewed: readonly Renewed[]): Record<string, string> | null {
  const items = parseItems(metadata)
  const plans = items.filter(({ type }) => type === 'plan')
  const isSame = (item: DescribedItem, row: Renewed) => item.device === row.device.id && item.price === row.subscription.priceId
  const unnamed = renewed.filter((row) => !plans.some((item) => isSame(item, row)))
  const moved = new Map<number, DeviceRow>()
  for (const item of plans) {
    if (renewed.some((row) => isSame(item, row))) continue
    const index = unnamed.findIndex(({ subscription }) => subscription.priceId === item.price)
    if (index >= 0) moved.set(item.device, unnamed.splice(index, 1)[0]!.device)
  }
  if (moved.size === 0) return null
  const changed = items.map((item): DescribedItem => {
    const device = moved.get(item.device)
    return device ? { ...item, device: device.id, addedAt: device.createdAt.getTime(), hardware: hashHardware(device) } : item
  })
  const former = Object.keys(metadata).filter((name) => /^items(_\d+)?$/.test(name))
  return {
    ...Object.fromEntries(former.map((name) => [name, ''])),
    devices: joinDevices(changed.map(({ device }) => device)),
    ...nameValues(joinShort(changed.map(joinItem))),
  }
}

const joinDevices = (ids: readonly number[]) => [...new Set(ids)].join(',').slice(0, VALUE_LENGTH)

/** A hash, because Stripe need not know the serial number itself. */
export function hashHardware({ identifier, serial }: Pick<DeviceRow, 'identifier' | 'serial'>) {
  const number = identifier ?? serial
  return number === null ? null : sha256(number).slice(0, HASH_LENGTH)
}

/** Joins items into as few values as their length allows. */
function joinShort(items: readonly string[]) {
  const values: string[] = []
  for (const item of items) {
    const last = values.at(-1)
    if (last !== undefined && last.length + item.length + 1 <= VALUE_LENGTH) values[values.length - 1] = `${last};${item}`
    else values.push(item)
  }
  return values
}

const nameValues = (values: readonly string[]) => Object.fromEntries(values.map((value, index) => [nameItems(index), value]))
const nameItems = (index: number) => (index === 0 ? 'items' : `items_${index + 1}`)

/** The items in the metadata; empty if it is not ours, or was written by a release without items. */
export function parseItems(metadata: Stripe.Metadata | null): DescribedItem[] {
  const values: string[] = []
  for (let index = 0; metadata?.[nameItems(index)]; index++) values.push(metadata[nameItems(index)]!)
  return values.flatMap((value) => value.split(';')).flatMap((text) => parseItem(text) ?? [])
}

const ITEM = /^(\d+) ([0-9a-z]+) ([0-9a-f]+|-) ([\w-]+) (plan|option|tracker) (\d+) (\d+)$/

function parseItem(text: string): DescribedItem | null {
  const [, device, addedAt, hardware, price, type, months, extra] = ITEM.exec(text) ?? []
  if (extra === undefined) return null
  return {
    device: Number(device),
    addedAt: Number.parseInt(addedAt!, BASE),
    hardware: hardware === '-' ? null : hardware!,
    price: price!,
    type: type as PriceRow['type'],
    months: Number(months),
    extra: Number(extra),
  }
}

export type DescribedPayer = { accountId: number; createdAt: Date | null }

/** The account in the metadata; null without one. `createdAt` is null in metadata of older releases. */
export function parsePayer(metadata: Stripe.Metadata | null): DescribedPayer | null {
  const accountId = Number(metadata?.account)
  if (!Number.isSafeInteger(accountId) || accountId < 1) return null
  const since = Number(metadata?.account_since)
  return { accountId, createdAt: Number.isSafeInteger(since) && since > 0 ? new Date(since) : null }
}

/** Metadata of an invoice. `receipt` means that the receipt with this number was queued. */
export const describeInvoice = (row: { number: string; orderReference: string | null; status: string }): Record<string, string> => ({
  number: row.number,
  ...(row.orderReference !== null && { order: row.orderReference }),
  ...(row.status === 'paid' && { receipt: 'queued' }),
})

/** The number that we assigned to an invoice at Stripe; 0 without one. */
export const parseNumber = (metadata: Stripe.Metadata | null) => Number(/^INV-(\d{1,12})$/.exec(metadata?.number ?? '')?.[1] ?? 0)

export const hasReceipt = (metadata: Stripe.Metadata | null) => metadata?.receipt === 'queued'
