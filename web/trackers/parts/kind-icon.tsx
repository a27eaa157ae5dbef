import { IconBike, IconCar, IconCat, IconDog, IconMapPin, IconPlane, IconUser } from '@tabler/icons-react'
import { type CSSProperties, Suspense, useState } from 'react'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { KINDS, type Kind, type TrackerIcon } from '#contracts/rules/tracking/tracker.ts'
import { lazy } from '#web/lib/chunk.ts'
import { config } from '#web/lib/config.ts'
import classes from './kind-disc.module.css'

/** The picture of a tracker: its photo, its own icon, or that of its kind. */
export type Face = { kind: Kind; icon?: TrackerIcon | undefined; photo?: string | undefined }

export const KindDisc = ({ of, size = 40 }: { of: Face; size?: number }) => (
  <span className={classes.disc} style={{ '--k': kindColour(of.kind), width: size, height: size } as CSSProperties}>
    <FaceIcon of={of} size={Math.round(size * 0.55)} />
  </span>
)

const OwnIcon = lazy(() => import('./own-icon.tsx'))

/** A photo fills its container; a file that cannot be shown leaves the icon. */
export function FaceIcon({ of: { kind, icon, photo }, size }: { of: Face; size: number }) {
  const [broken, setBroken] = useState<string>()
  const plain = <KindIcon kind={kind} size={size} />
  if (photo && photo !== broken)
    return (
      <img
        className={classes.photo}
        src={`${config().apiBaseUrl.replace(/\/$/, '')}/photos/${photo}/small.jpg`}
        alt=""
        onError={() => setBroken(photo)}
      />
    )
  if (!icon) return plain
  return (
    <Suspense fallback={plain}>
      <OwnIcon icon={icon} size={size} plain={plain} />
    </Suspense>
  )
}

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
