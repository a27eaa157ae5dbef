import { useSuspenseQuery } from '@tanstack/react-query'
import { type CSSProperties, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router-dom'
import type { Device } from '#contracts/devices.ts'
import { devicesQuery } from '#web/lib/trackers/queries.ts'
import { useLive } from '#web/lib/trackers/use-live.ts'
import { useTrackerCommands } from '#web/lib/trackers/use-tracker-commands.tsx'
import { FloatingCard } from '#web/ui/floating-card.tsx'
import { Sheet } from '#web/ui/sheet.tsx'
import classes from './home.module.css'
import { HomeMap } from './home-map.tsx'
import { HomeSkeleton } from './home-skeleton.tsx'
import { Panel } from './panel.tsx'
import { SearchField } from './search-field.tsx'
import { TrackerCard } from './tracker-card.tsx'
import { Unknown } from './unknown.tsx'
import { useBrowse } from './use-browse.ts'
import { CARD_PADDING, CARD_STOP, SHEET_STOPS, sheetPadding, useIsPhone } from './use-phone.ts'

/** The map is home: trackers beside it, the chosen one in a card on it. Serves `/` and `/trackers/:id`. */
export default function HomeScreen() {
  const isPhone = useIsPhone()
  return <Suspense fallback={<HomeSkeleton isPhone={isPhone} />}>{isPhone ? <PhoneHome /> : <DeskHome />}</Suspense>
}

/** What both layouts show: all trackers, the one the address names, and whether the map follows it. */
function useHome() {
  const devices = useSuspenseQuery(devicesQuery()).data
  const live = useLive()
  const navigate = useNavigate()
  const { id } = useParams()
  const [followed, setFollowed] = useState<number | null>(null)
  const chosen = devices.find((device) => String(device.id) === id)
  useTrackerCommands(devices)
  return {
    devices,
    live,
    chosen,
    isUnknown: id !== undefined && !chosen,
    browse: useBrowse(devices),
    isFollowed: chosen !== undefined && followed === chosen.id,
    follow: (device: Device, on: boolean) => setFollowed(on ? device.id : null),
    open: (next: number) => void navigate(`/trackers/${next}`),
    close: () => void navigate('/'),
  }
}

function DeskHome() {
  const home = useHome()
  const { chosen, isUnknown } = home
  return (
    <div className={classes.desk}>
      <Panel devices={home.devices} browse={home.browse} chosen={chosen?.id} />
      <div className={classes.stage}>
        <HomeMap {...home} padding={chosen ? CARD_PADDING : undefined} />
        {(chosen || isUnknown) && (
          <FloatingCard className={classes.over} label={chosen?.name}>
            {chosen ? <TrackerCard {...home} device={chosen} place={home.browse.placeOf(chosen)} /> : <Unknown />}
          </FloatingCard>
        )}
      </div>
    </div>
  )
}

function PhoneHome() {
  const { t } = useTranslation()
  const home = useHome()
  const { chosen, isUnknown } = home
  const [rest, setRest] = useState<{ id: number | undefined; stop: number }>({ id: undefined, stop: CARD_STOP })
  const stop = rest.id === chosen?.id ? rest.stop : CARD_STOP
  const setStop = (next: number) => setRest({ id: chosen?.id, stop: next })
  return (
    <div className={classes.phone} style={{ '--map-bottom': `${SHEET_STOPS[Math.min(stop, CARD_STOP)]! * 100}%` } as CSSProperties}>
      <HomeMap {...home} padding={sheetPadding(stop)} />
      <SearchField isFloating browse={home.browse} onFocus={() => setStop(SHEET_STOPS.length - 1)} />
      <Sheet label={chosen?.name ?? t('trackers.heading')} stops={SHEET_STOPS} stop={stop} onStop={setStop}>
        {isUnknown && <Unknown />}
        {chosen && (
          <div className={classes.sheetCard}>
            <TrackerCard {...home} device={chosen} place={home.browse.placeOf(chosen)} />
          </div>
        )}
        {!chosen && !isUnknown && <Panel isSheet devices={home.devices} browse={home.browse} chosen={undefined} />}
      </Sheet>
    </div>
  )
}
