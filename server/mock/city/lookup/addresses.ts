import { join } from 'node:path'
import Flatbush from 'flatbush'
import { type AddressColumns, type AddressNotes, NO_HOOD } from '#server/mock/city/build/address-book.ts'
import type { Address, LatLng } from '#server/mock/city/city.ts'
import { readPack } from '#server/mock/city/city-files.ts'
import { fromPlane, toPlane } from '#server/mock/city/frame.ts'

const MAX_DISTANCE_METRES = 400

export function openAddresses(dir: string) {
  const { columns, notes } = readPack<AddressColumns, AddressNotes>(join(dir, 'addresses.bin'))
  const index = Flatbush.from(columns.index.buffer, columns.index.byteOffset)
  const numbers = notes.numbers.split('\n')

  const doors = (house: number) => numbers[house]!.split(',').map((door) => Number.parseInt(door, 10))

  const address = (house: number): Address => {
    const street = notes.streets[streetOf(house)]!
    const number = numbers[house]!.split(',')[0]!
    const hood = columns.hood[house]!
    const neighbourhood = hood === NO_HOOD ? null : notes.hoods[hood]!
    const label = neighbourhood ? `${street} ${number}, ${neighbourhood}` : `${street} ${number}`
    return { ...fromPlane(columns.x[house]!, columns.y[house]!), label, street, number, neighbourhood }
  }

  const streetOf = (house: number) => {
    let low = 0
    let high = notes.streets.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (columns.starts[middle]! <= house) low = middle
      else high = middle - 1
    }
    return low
  }

  return {
    streets: notes.streets,
    hoods: notes.hoods,
    address,
    doors,
    hood: (house: number) => columns.hood[house]!,
    /** The first house of a street and the index after its last. */
    range: (street: number): [number, number] => [columns.starts[street]!, columns.starts[street + 1]!],
    nearest(point: LatLng): Address | null {
      const { x, y } = toPlane(point)
      const [house] = index.neighbors(x, y, 1, MAX_DISTANCE_METRES)
      return house === undefined ? null : address(house)
    },
  }
}

export type Addresses = ReturnType<typeof openAddresses>
