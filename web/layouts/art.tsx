import { useComputedColorScheme } from '@mantine/core'
import { IconBike, IconCar, IconCat, IconDog } from '@tabler/icons-react'
import type { CSSProperties } from 'react'
import { config } from '#web/lib/config.ts'
import classes from './art.module.css'
import { tilesAround } from './art-tiles.ts'

/** By the sea at Montevideo, where the demonstration takes place. */
const CENTRE = { lat: -34.9035, lng: -56.158 }
const ZOOM = 14

const PINS = [
  { Icon: IconDog, colour: 'var(--kind-dog)', left: 68, top: 58, isRinged: true },
  { Icon: IconCat, colour: 'var(--kind-cat)', left: 46, top: 50 },
  { Icon: IconBike, colour: 'var(--kind-bike)', left: 27, top: 25 },
  { Icon: IconCar, colour: 'var(--kind-vehicle)', left: 80, top: 22 },
]

const place = ({ colour, left, top }: (typeof PINS)[number]) => ({ '--k': colour, left: `${left}%`, top: `${top}%` }) as CSSProperties

/** A piece of the map, still. Tiles of another host are not asked for before anybody has signed in. */
export function Art() {
  const scheme = useComputedColorScheme('light')
  const { url, attribution } = config().tiles
  const isOwn = url.startsWith('/') && !url.startsWith('//')
  return (
    <aside className={classes.art} aria-hidden="true">
      {isOwn && (
        <div className={classes.map}>
          {tilesAround(CENTRE, ZOOM, { width: window.innerWidth - 420, height: window.innerHeight }).map(({ x, y, left, top }) => (
            <img
              key={`${x}-${y}`}
              alt=""
              src={url.replace('{z}', String(ZOOM)).replace('{x}', String(x)).replace('{y}', String(y)).replace('{theme}', scheme)}
              width={256}
              height={256}
              style={{ left, top }}
              loading="lazy"
              onError={({ currentTarget }) => currentTarget.remove()}
            />
          ))}
        </div>
      )}
      {PINS.map((pin) => (
        <span key={pin.colour} className={classes.pin} style={place(pin)} data-ringed={pin.isRinged}>
          <pin.Icon size={pin.isRinged ? 22 : 19} />
        </span>
      ))}
      {isOwn && <small className={classes.credit}>{attribution.replace(/<[^>]*>/g, '')}</small>}
    </aside>
  )
}
