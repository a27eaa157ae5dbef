import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import type { Column } from '#db/schema/columns.ts'
import type { Row, TableShape } from './row.ts'

export type Maker = {
  /** Counts up over all rows created in the world. */
  number: number
  accountId: number
  deviceId: number | null
  placeId: number | null
  passwordHash: string | null
  uuid(): string
  /** The instant `days` from now. */
  at(days: number): Date
  /** A house of the city, a different one each time. */
  spot: LatLng & { label: string }
}

export type Kind = TableShape & {
  key: Column
  make(maker: Maker): Row
  traits: Record<string, (maker: Pick<Maker, 'at'>, row: Row) => Row>
  /** Adds columns that follow from the given ones. */
  derive?(row: Row): Row
}
