import { IconBriefcase, IconBuildingStore, IconBuildingWarehouse, IconHome, IconPennant, IconSchool } from '@tabler/icons-react'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { PLACE_TYPES, type PlaceType } from '#contracts/rules/geo/place.ts'

const ICONS = {
  home: IconHome,
  school: IconSchool,
  work: IconBriefcase,
  shop: IconBuildingStore,
  warehouse: IconBuildingWarehouse,
  other: IconPennant,
} as const satisfies Record<PlaceType, unknown>

export function PlaceIcon({ type, size = 22 }: { type: PlaceType; size?: number }) {
  const Icon = ICONS[pickListed(PLACE_TYPES, type, 'other')]
  return <Icon size={size} stroke={1.8} aria-hidden="true" />
}
