import { IconBike, IconCar, IconCat, IconDog, IconMapPin, IconPlane, IconUser } from '@tabler/icons-react'
import type { CSSProperties } from 'react'
import { KINDS, type Kind, pickListed } from '#contracts/lib/constants.ts'
import classes from './kind-disc.module.css'

export const KindDisc = ({ kind, size = 40 }: { kind: Kind; size?: number }) => (
  <span className={classes.disc} style={{ '--k': kindColour(kind), width: size, height: size } as CSSProperties}>
    <KindIcon kind={kind} size={Math.round(size * 0.55)} />
  </span>
)

const ICONS = {
  dog: IconDog,
  cat: IconCat,
  person: IconUser,
  bike: IconBike,
  vehicle: IconCar,
  plane: IconPlane,
  other: IconMapPin,
} as const satisfies Record<Kind, unknown>

/** The picture of a kind; its label is the translation `kinds.<kind>`. */
export function KindIcon({ kind, size = 22 }: { kind: Kind; size?: number }) {
  const Icon = ICONS[pickListed(KINDS, kind, 'other')]
  return <Icon size={size} stroke={1.8} aria-hidden="true" />
}

export const kindColour = (kind: Kind) => `var(--kind-${pickListed(KINDS, kind, 'other')})`
