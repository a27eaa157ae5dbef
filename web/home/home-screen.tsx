import { type ComponentProps, type CSSProperties, type KeyboardEvent, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router-dom'
import type { Device } from '#contracts/trackers/devices.ts'
import { HomeMap } from '#web/home/map/home-map.tsx'
import { lazy, loadChunk } from '#web/lib/chunk.ts'
import { onSessionEnd } from '#web/lib/session.ts'
import { NO_PADDING, type Padding } from '#web/map/camera.ts'
import { useMapLayout } from '#web/map/use-map-layout.ts'
import { useLive } from '#web/trackers/live/use-live.ts'
import { UnknownTracker } from '#web/trackers/parts/unknown-tracker.tsx'
import { useTrackerCommands } from '#web/trackers/parts/use-tracker-commands.tsx'
import { WithDevices } from '#web/trackers/trackers.queries.tsx'
import { SkeletonBlock, SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { FloatingCard } from '#web/ui/floating-card.tsx'
import { isLong } from '#web/ui/lists/long-rows.tsx'
import { Sheet } from '#web/ui/overlay/sheet.tsx'
import classes from './home.module.css'
import { Panel } from './panel.tsx'
import { SearchField } from './search-field.tsx'
import { useBrowse } from './use-browse.ts'

/** Loaded in parallel to the trackers, so that the map does not wait for it. */
const cardModule = loadChunk(() => import('./tracker-card.tsx'))
cardModule.catch(() => undefined)
const LazyCard = lazy(async () => ({ default: (await cardModule).TrackerCard }))

type CardProps = ComponentProps<typeof LazyCard> & { takesFocus: boolean }

const Card = ({ takesFocus, ...props }: CardProps) => (
  <Suspense fallback={<SkeletonRows count={4} />}>
    <LazyCard {...props} />
    {takesFocus && <FocusHeading key={props.device.id} />}
  </Suspense>
)

/** Rendered after the card, and moves the focus to its heading once it exists. */
function FocusHeading() {
  const mark = useRef<HTMLSpanElement>(null)
  useEffect(() => mark.current?.parentElement?.querySelector('h2')?.focus({ preventScroll: true }), [])
  return <span ref={mark} hidden />
}

/** Detents of the sheet as shares of the height: title, card, everything. */
const SHEET_STOPS = [0.17, 0.52, 0.9] as const

/** Index of the detent at which the card is readable and the map still visible. */
const CARD_STOP = 1

const SEARCH_HEIGHT = 60

/** Pixels of the map that the card covers. */
const CARD_PADDING: Padding = { ...NO_PADDING, left: 376 }

const paddings = new Map<number, Padding>()

/** Pixels that the search field and the sheet cover. A full sheet counts as half open, because no map would be left. */
const sheetPadding = (stop: number): Padding => {
  const share = SHEET_STOPS[Math.min(stop, CARD_STOP)] ?? 0
  const known = paddings.get(stop) ?? { ...NO_PADDING, top: SEARCH_HEIGHT, bottom: Math.round(window.innerHeight * share) }
  paddings.set(stop, known)
  return known
}

const HomeSkeleton = ({ isSheet }: { isSheet: boolean }) =>
  isSheet ? (
    <div className={classes.phone}>
      <div className={classes.blank} />
      <div className={classes.blankSheet}>
        <SkeletonRows count={4} />
      </div>
    </div>
  ) : (
    <div className={classes.desk}>
      <div className={classes.blankPanel}>
        <SkeletonBlock width={120} height={26} />
        <SkeletonBlock height={44} />
        <SkeletonRows count={9} />
      </div>
      <div className={classes.blank} />
    </div>
  )

/** The map with the list of trackers and the card of the chosen one. Serves `/` and `/trackers/:id`. */
export default function HomeScreen() {
  const layout = useMapLayout()
  const Home = HOMES[layout]
  return (
    <WithDevices skeleton={<HomeSkeleton isSheet={layout === 'narrow'} />}>
      {(devices, instead) => <Home devices={devices} instead={instead} />}
    </WithDevices>
  )
}

type Props = { devices: readonly Device[]; instead: ReactNode }

/** State shared by the wide and the narrow layout: the trackers, the one in the address, and whether the map follows it. */
function useHome({ devices, instead }: Props) {
  const live = useLive()
  const navigate = useNavigate()
  const { id } = useParams()
  const [followed, setFollowed] = useState(() => (new URLSearchParams(location.search).has('follow') ? Number(id) : null))
  const chosen = devices.find((device) => String(device.id) === id)
  useTrackerCommands(devices)
  const focus = useCardFocus(chosen?.id)
  const browse = useBrowse(devices)
  useAppBadge(browse.attention)
  const close = () => void navigate('/')
  return {
    devices,
    instead,
    // Without a list nothing is up to date, whatever the stream's state.
    live: instead === null ? live : 'connecting',
    chosen,
    isUnknown: id !== undefined && !chosen && instead === null,
    browse,
    isFollowed: chosen !== undefined && followed === chosen.id,
    follow: (device: Device, on: boolean) => setFollowed(on ? device.id : null),
    open: (next: number) => void navigate(`/trackers/${encodeURIComponent(next)}`),
    close,
    takesFocus: focus.takesFocus,
    /** Handlers for the parts around the card. */
    closing: {
      onKeyDown({ key, target, defaultPrevented }: KeyboardEvent) {
        if (key !== 'Escape' || defaultPrevented || !chosen || (target instanceof Element && target.closest('dialog, input'))) return
        focus.returnTo(chosen.id)
        close()
      },
    },
  }
}

/** The icon of the installed portal shows how many trackers need attention. */
const useAppBadge = (count: number) => useEffect(() => void navigator.setAppBadge?.(count).catch(() => undefined), [count])
onSessionEnd(() => void navigator.clearAppBadge?.().catch(() => undefined))

/** The focus moves to an opened card, and back to the tracker's row after Escape has closed it. */
function useCardFocus(chosen: number | undefined) {
  const [first] = useState(chosen)
  const [hasMoved, setMoved] = useState(false)
  if (!hasMoved && chosen !== first) setMoved(true)
  const back = useRef<number>(null)
  useEffect(() => {
    if (chosen !== undefined || back.current === null) return
    document.querySelector<HTMLElement>(`main a[href="/trackers/${back.current}"]`)?.focus()
    back.current = null
  }, [chosen])
  return {
    takesFocus: hasMoved || chosen !== first,
    returnTo: (id: number) => {
      back.current = id
    },
  }
}

function DeskHome(props: Props) {
  const home = useHome(props)
  const { chosen, isUnknown } = home
  return (
    <div className={classes.desk}>
      <Panel devices={home.devices} instead={home.instead} browse={home.browse} chosen={chosen?.id} />
      <div className={classes.stage}>
        {(chosen || isUnknown) && (
          <div key={chosen?.id} role="presentation" {...home.closing}>
            <FloatingCard className={classes.over} label={chosen?.name}>
              {chosen ? <Card {...home} device={chosen} place={home.browse.placeOf(chosen)} /> : <UnknownTracker isPage={false} />}
            </FloatingCard>
          </div>
        )}
        <HomeMap {...home} padding={chosen ? CARD_PADDING : undefined} />
      </div>
    </div>
  )
}

/** One column next to the map: the list, or the card in its place. */
function LowHome(props: Props) {
  const home = useHome(props)
  const { chosen, isUnknown } = home
  return (
    <div className={classes.desk}>
      {chosen || isUnknown ? (
        <div key={chosen?.id} role="presentation" className={classes.column} {...home.closing}>
          <section aria-label={chosen?.name} className={classes.sheetCard}>
            {chosen ? <Card {...home} device={chosen} place={home.browse.placeOf(chosen)} /> : <UnknownTracker isPage={false} />}
          </section>
        </div>
      ) : (
        <Panel devices={home.devices} instead={home.instead} browse={home.browse} chosen={undefined} />
      )}
      <div className={classes.stage}>
        <HomeMap {...home} />
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
      <SearchField isFloating isLong={isLong(home.devices)} browse={home.browse} onFocus={() => setStop(SHEET_STOPS.length - 1)} />
      <Sheet label={chosen?.name ?? t('trackers.heading')} of={chosen?.id} stops={SHEET_STOPS} stop={stop} onStop={setStop}>
        {isUnknown && <UnknownTracker isPage={false} />}
        {chosen && (
          <div className={classes.sheetCard} role="presentation" {...home.closing}>
            <Card {...home} device={chosen} place={home.browse.placeOf(chosen)} />
          </div>
        )}
        {!chosen && !isUnknown && <Panel isSheet devices={home.devices} instead={home.instead} browse={home.browse} chosen={undefined} />}
      </Sheet>
      <HomeMap {...home} padding={sheetPadding(stop)} />
    </div>
  )
}

const HOMES = { wide: DeskHome, low: LowHome, narrow: PhoneHome }
