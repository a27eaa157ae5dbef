import {
  IconBackpack,
  IconCaravan,
  IconHorse,
  IconKey,
  IconLuggage,
  IconMotorbike,
  IconSailboat,
  IconScooter,
  IconTool,
  IconTruck,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { TRACKER_ICONS } from '#contracts/rules/tracking/tracker.ts'

const ICONS = {
  scooter: IconScooter,
  motorbike: IconMotorbike,
  truck: IconTruck,
  caravan: IconCaravan,
  boat: IconSailboat,
  luggage: IconLuggage,
  backpack: IconBackpack,
  horse: IconHorse,
  key: IconKey,
  tool: IconTool,
} as const

/** An owner's icon; `plain` for one unknown to this version. Its label is `settings.icons.<icon>`. */
export default function OwnIcon({ icon, size, plain }: { icon: string; size: number; plain: ReactNode }) {
  const known = pickListed(TRACKER_ICONS, icon, null)
  const Icon = known && ICONS[known]
  return Icon ? <Icon size={size} stroke={1.8} aria-hidden="true" /> : plain
}
