import { PLACE_TYPES, type PlaceType } from '#contracts/lib/constants.ts'

/** A place type as csv and API input write it, in any case; `store` is a shop (C-23); null is not one of the listed values. */
export const normalizePlaceType = (text: string): PlaceType | null => {
  const word = text.trim().toLowerCase()
  return word === 'store' ? 'shop' : (PLACE_TYPES.find((type) => type === word) ?? null)
}
