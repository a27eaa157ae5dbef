import type { LatLng } from '#contracts/rules/geo.ts'
import type { Column } from '#db/schema/columns.ts'
import type { Row, Shape } from './row.ts'

/** What a row is made of. */
export type Maker = {
  /** Counts up over all rows that were made in the world. */
  number: number
  accountId: number
  /** Of the owner, where there is one. */
  deviceId: number | null
  placeId: number | null
  passwordHash: string | null
  uuid(): string
  /** An instant from now. */
  at(days: number): Date
  /** Somewhere in the city, another place each time. */
  spot: LatLng & { label: string }
}

/** How rows of one kind are made. */
export type Kind = Shape & {
  key: Column
  make(maker: Maker): Row
  traits: Record<string, (maker: Pick<Maker, 'at'>, row: Row) => Row>
  /** What follows from columns that were given. */
  derive?(row: Row): Row
}
