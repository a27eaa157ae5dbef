import type { CSSProperties } from 'react'
import type { Kind } from '#contracts/lib/constants.ts'
import classes from './kind-disc.module.css'
import { KindIcon, kindColour } from './kind-icon.tsx'

export const KindDisc = ({ kind, size = 40 }: { kind: Kind; size?: number }) => (
  <span className={classes.disc} style={{ '--k': kindColour(kind), width: size, height: size } as CSSProperties}>
    <KindIcon kind={kind} size={Math.round(size * 0.55)} />
  </span>
)
