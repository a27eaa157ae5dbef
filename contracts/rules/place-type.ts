import { PLACE_TYPES, type PlaceType } from '#contracts/lib/constants.ts'

/** Parses a place type from csv or API input, in any case; `store` means `shop`; null for anything else. */
export const normalizePlaceType = (text: string): PlaceType | null => {
  const word = text.trim().toLowerCase()
  return word === 'store' ? 'shop' : (PLACE_TYPES.find((type) => type === word) ?? null)
}
