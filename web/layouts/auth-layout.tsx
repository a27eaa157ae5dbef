import { IconBike, IconCar, IconCat, IconDog } from '@tabler/icons-react'
import type { CSSProperties, ReactNode } from 'react'
import { LegalFooter } from '#web/legal/legal-footer.tsx'
import { config } from '#web/lib/config.ts'
import { Logo } from '#web/ui/logo.tsx'
import classes from './auth-layout.module.css'
import { LanguagePicker } from './language-picker.tsx'

const PINS = [
  { Icon: IconDog, colour: 'var(--kind-dog)', left: 68, top: 58, isRinged: true },
  { Icon: IconCat, colour: 'var(--kind-cat)', left: 46, top: 50 },
  { Icon: IconBike, colour: 'var(--kind-bike)', left: 27, top: 25 },
  { Icon: IconCar, colour: 'var(--kind-vehicle)', left: 80, top: 22 },
]
const CREDIT = '© OpenStreetMap contributors'

const place = ({ colour, left, top }: (typeof PINS)[number]) => ({ '--k': colour, left: `${left}%`, top: `${top}%` }) as CSSProperties

/** A drawing of Montevideo, where the demo takes place. It replaces a map because no tile may be requested before signing in. */
function Art() {
  return (
    <aside className={classes.art} aria-hidden="true">
      {PINS.map((pin) => (
        <span key={pin.colour} className={classes.pin} style={place(pin)} data-ringed={pin.isRinged}>
          <pin.Icon size={pin.isRinged ? 22 : 19} />
        </span>
      ))}
      <small className={classes.credit}>{CREDIT}</small>
    </aside>
  )
}

export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <div className={classes.auth}>
      <div className={classes.side}>
        <header className={classes.brand}>
          <Logo />
          <span>{config().productName}</span>
          <LanguagePicker />
        </header>
        <main id="content" tabIndex={-1} className={classes.main}>
          {children}
        </main>
        <LegalFooter />
      </div>
      <Art />
    </div>
  )
}
