import { type CSSProperties, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router-dom'
import type { Device } from '#contracts/devices.ts'
import { CARD_PADDING, CARD_STOP, SHEET_STOPS, sheetPadding, useIsPhone } from '#web/home/details/use-phone.ts'
import { HomeMap } from '#web/home/map/home-map.tsx'
import { useLive } from '#web/trackers/live/use-live.ts'
import { useTrackerCommands } from '#web/trackers/parts/use-tracker-commands.tsx'
import { useDevices } from '#web/trackers/use-devices.tsx'
import { FloatingCard } from '#web/ui/floating-card.tsx'
import { Sheet } from '#web/ui/overlay/sheet.tsx'
import classes from './home.module.css'
import { HomeSkeleton } from './home-skeleton.tsx'
import { Panel } from './panel.tsx'
import { SearchField } from './search-field.tsx'
import { TrackerCard } from './tracker-card.tsx'
import { UnknownTracker } from './unknown.tsx'
import { useBrowse } from './use-browse.ts'

/** The map with the list of trackers and the card of the chosen one. Serves `/` and `/trackers/:id`. */
export default function HomeScreen() {
  const isPhone = useIsPhone()
  const { devices, instead } = useDevices()
  if (!devices) return <HomeSkeleton isPhone={isPhone} />
  const Home = isPhone ? PhoneHome : DeskHome
  return <Home key={String(instead === null)} devices={devices} instead={instead} />
}

type Props = { devices: readonly Device[]; instead: ReactNode }

/** State shared by the wide and the narrow layout: the trackers, the one in the address, and whether the map follows it. */
function useHome({ devices, instead }: Props) {
  const live = useLive()
  const navigate = useNavigate()
  const { id } = useParams()
  const [followed, setFollowed] = useState<number | null>(null)
  const chosen = devices.find((device) => String(device.id) === id)
  useTrackerCommands(devices)
  return {
    devices,
    instead,
    live,
    chosen,
    isUnknown: id !== undefined && !chosen && instead === null,
    browse: useBrowse(devices),
    isFollowed: chosen !== undefined && followed === chosen.id,
    follow: (device: Device, on: boolean) => setFollowed(on ? device.id : null),
    open: (next: number) => void navigate(`/trackers/${next}`),
    close: () => void navigate('/'),
  }
}

function DeskHome(props: Props) {
  const home = useHome(props)
  const { chosen, isUnknown } = home
  return (
    <div className={classes.desk}>
      <Panel devices={home.devices} instead={home.instead} browse={home.browse} chosen={chosen?.id} />
      <div className={classes.stage}>
        <HomeMap {...home} padding={chosen ? CARD_PADDING : undefined} />
        {(chosen || isUnknown) && (
          <FloatingCard key={chosen?.id} className={classes.over} label={chosen?.name}>
            {chosen ? <TrackerCard {...home} device={chosen} place={home.browse.placeOf(chosen)} /> : <UnknownTracker />}
          </FloatingCard>
        )}
      </div>
    </div>
  )
}

function PhoneHome(props: Props) {
  const { t } = useTranslation()
  const home = useHome(props)
  const { chosen, isUnknown } = home
  const [rest, setRest] = useState<{ id: number | undefined; stop: number }>({ id: undefined, stop: CARD_STOP })
  const stop = rest.id === chosen?.id ? rest.stop : CARD_STOP
  const setStop = (next: number) => setRest({ id: chosen?.id, stop: next })
  return (
    <div className={classes.phone} style={{ '--map-bottom': `${SHEET_STOPS[Math.min(stop, CARD_STOP)]! * 100}%` } as CSSProperties}>
      <HomeMap {...home} padding={sheetPadding(stop)} />
      <SearchField isFloating browse={home.browse} onFocus={() => setStop(SHEET_STOPS.length - 1)} />
      <Sheet label={chosen?.name ?? t('trackers.heading')} of={chosen?.id} stops={SHEET_STOPS} stop={stop} onStop={setStop}>
        {isUnknown && <UnknownTracker />}
        {chosen && (
          <div className={classes.sheetCard}>
            <TrackerCard {...home} device={chosen} place={home.browse.placeOf(chosen)} />
          </div>
        )}
        {!chosen && !isUnknown && <Panel isSheet devices={home.devices} instead={home.instead} browse={home.browse} chosen={undefined} />}
      </Sheet>
    </div>
  )
}
