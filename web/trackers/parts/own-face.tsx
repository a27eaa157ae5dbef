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
import { type ReactNode, useState } from 'react'
import { pickListed, TRACKER_ICONS } from '#contracts/lib/constants.ts'
import { config } from '#web/lib/config.ts'
import classes from './kind-disc.module.css'
import type { Face } from './kind-icon.tsx'

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

/** The photo of a tracker, else its own icon; `plain` while neither can be shown. The label of an icon is `settings.icons.<icon>`. */
export default function OwnFace({ of: { icon, photo }, size, plain }: { of: Face; size: number; plain: ReactNode }) {
  const [broken, setBroken] = useState<string>()
  if (photo && photo !== broken) {
    const base = config().apiBaseUrl.replace(/\/$/, '')
    return <img className={classes.photo} src={`${base}/photos/${photo}/small.jpg`} alt="" onError={() => setBroken(photo)} />
  }
  const known = pickListed(TRACKER_ICONS, icon ?? '', null)
  const Icon = known && ICONS[known]
  return Icon ? <Icon size={size} stroke={1.8} aria-hidden="true" /> : plain
}
