import { type ComponentProps, type CSSProperties, type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate, useParams } from 'react-router-dom'
import type { Device } from '#contracts/trackers/devices.ts'
import { FirstMinuteGate } from '#web/first-minute/first-minute-gate.tsx'
import { useTicked } from '#web/home/bulk/use-ticked.ts'
import { CardDialogs } from '#web/home/dialogs/card-dialogs.tsx'
import { Separator } from '#web/home/list/separator.tsx'
import { useBrowse } from '#web/home/list/use-browse.ts'
import { type Shape, useShape } from '#web/home/list/use-shape.ts'
import { HomeMap } from '#web/home/map/home-map.tsx'
import { lazy, loadChunk } from '#web/lib/chunk.ts'
import { useSheet } from '#web/lib/navigation/use-sheet.ts'
import { onSessionEnd } from '#web/lib/session.ts'
import { NO_PADDING, type Padding } from '#web/map/camera.ts'
import { useHasRight } from '#web/signed-in/user.queries.ts'
import { useLive } from '#web/trackers/live/use-live.ts'
import { UnknownTracker } from '#web/trackers/parts/unknown-tracker.tsx'
import { useTrackerCommands } from '#web/trackers/parts/use-tracker-commands.tsx'
import { WithDevices } from '#web/trackers/trackers.queries.tsx'
import { SkeletonBlock, SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { isLong } from '#web/ui/lists/long-rows.tsx'
import { SearchField } from '#web/ui/lists/search-field.tsx'
import { Sheet } from '#web/ui/overlay/sheet.tsx'
import classes from './home.module.css'
import { Panel } from './panel.tsx'

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
  useEffect(() => mark.current?.parentElement?.querySelector<HTMLElement>('article h2')?.focus({ preventScroll: true }), [])
  return <span ref={mark} hidden />
}

/** Detents of the sheet as shares of the height: title, card, everything. */
const SHEET_STOPS = [0.17, 0.52, 0.9] as const

/** Index of the detent at which the card is readable and the map still visible. */
const CARD_STOP = 1

const SEARCH_HEIGHT = 60

const paddings = new Map<number, Padding>()

/** Pixels that the search field and the sheet cover. A full sheet counts as half open, because no map would be left. */
const sheetPadding = (stop: number): Padding => {
  const share = SHEET_STOPS[Math.min(stop, CARD_STOP)] ?? 0
  const known = paddings.get(stop) ?? { ...NO_PADDING, top: SEARCH_HEIGHT, bottom: Math.round(window.innerHeight * share) }
  paddings.set(stop, known)
  return known
}

const HomeSkeleton = ({ shape: { isSheet, isFull, width } }: { shape: Shape }) =>
  isSheet ? (
    <div className={classes.phone}>
      <div className={classes.blank} />
      <div className={classes.blankSheet}>
        <SkeletonRows count={4} />
      </div>
    </div>
  ) : (
    <div className={classes.desk} style={{ '--list': isFull ? '100%' : `${width}px` } as CSSProperties}>
      <div className={classes.blankPanel}>
        <SkeletonBlock width={120} height={26} />
        <SkeletonBlock height={44} />
        <SkeletonRows count={9} />
      </div>
      {!isFull && <div className={classes.blank} />}
    </div>
  )

/** The trackers as a list or table next to the map, with the card of the chosen one. Serves `/`, `/trackers` and `/trackers/:id`. */
export default function HomeScreen() {
  const shape = useShape(useParams().id !== undefined)
  return (
    <WithDevices skeleton={<HomeSkeleton shape={shape} />}>
      {(devices, instead) => (
        <FirstMinuteGate devices={devices} instead={instead}>
          <Workbench devices={devices} instead={instead} shape={shape} />
        </FirstMinuteGate>
      )}
    </WithDevices>
  )
}

function Workbench({ shape, ...props }: Props & { shape: Shape }) {
  const home = useHome(props)
  const { chosen, dialog, openDialog } = home
  return (
    <>
      {shape.isSheet ? <PhoneHome home={home} shape={shape} /> : <DeskHome home={home} shape={shape} />}
      {chosen && <CardDialogs key={chosen.id} device={chosen} open={dialog} onClose={() => openDialog(null)} />}
    </>
  )
}

type Props = { devices: readonly Device[]; instead: ReactNode }

type Home = ReturnType<typeof useHome>

/** The trackers, the one in the address, and whether the map follows it. */
function useHome({ devices, instead }: Props) {
  const live = useLive()
  const navigate = useNavigate()
  const { id } = useParams()
  const { pathname } = useLocation()
  const [followed, setFollowed] = useState(() => (new URLSearchParams(location.search).has('follow') ? Number(id) : null))
  // Closing a card leads back to the map or to the table, whichever was there before.
  const [list, setList] = useState(id === undefined ? pathname : '/')
  if (id === undefined && list !== pathname) setList(pathname)
  const chosen = devices.find((device) => String(device.id) === id)
  useTrackerCommands(devices)
  const [dialog, openDialog] = useSheet()
  const focus = useCardFocus(chosen?.id)
  const browse = useBrowse(devices)
  const ticked = useTicked(browse.shown)
  const mayTick = useHasRight('changeTrackers')
  const [isOnlyList, setOnlyList] = useState(false)
  useAppBadge(browse.counts.lost + browse.counts.attention)
  const close = () => void navigate(list)
  useEscape(
    chosen &&
      (() => {
        focus.returnTo(chosen.id)
        close()
      }),
  )
  return {
    devices,
    instead,
    // Without a list nothing is up to date, whatever the stream's state.
    live: instead === null ? live : 'connecting',
    chosen,
    isUnknown: id !== undefined && !chosen && instead === null,
    browse,
    ticked: mayTick ? ticked : undefined,
    isOnlyList: isOnlyList && browse.isFiltered,
    setOnlyList,
    isFollowed: chosen !== undefined && followed === chosen.id,
    follow: (device: Device, on: boolean) => setFollowed(on ? device.id : null),
    open: (next: number) => void navigate(`/trackers/${encodeURIComponent(next)}`),
    close,
    takesFocus: focus.takesFocus,
    dialog,
    openDialog,
  } as const
}

/** Escape closes the card from anywhere on the screen, unless something else there is closed by it. */
function useEscape(close: (() => void) | undefined) {
  const latest = useRef(close)
  useEffect(() => {
    latest.current = close
  })
  useEffect(() => {
    const onKeyDown = ({ key, target, defaultPrevented }: KeyboardEvent) => {
      if (key !== 'Escape' || defaultPrevented || document.querySelector('dialog[open]')) return
      if (target instanceof Element && target.closest('dialog, input, select, nav, [aria-expanded="true"]')) return
      latest.current?.()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
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

/** List, map and card side by side, or the card in place of the list; without the map on /trackers. */
function DeskHome({ home, shape }: { home: Home; shape: Shape }) {
  const { chosen, isUnknown } = home
  const hasCard = Boolean(chosen) || isUnknown
  const isInstead = hasCard && shape.arrangement === 'two'
  const card = hasCard && (
    <section key={chosen?.id} aria-label={chosen?.name} className={classes.card}>
      {chosen ? <Card {...home} device={chosen} place={home.browse.placeOf(chosen)} /> : <UnknownTracker isPage={false} />}
    </section>
  )
  return (
    <div
      className={classes.desk}
      style={{ '--list': shape.isFull ? '100%' : `${shape.width}px` } as CSSProperties}
      data-card={(hasCard && !isInstead) || undefined}
    >
      {isInstead ? (
        card
      ) : (
        <div className={classes.column}>
          <Panel {...home} shape={shape} chosen={chosen?.id} />
          {shape.canResize && <Separator shape={shape} />}
        </div>
      )}
      {!shape.isFull && (
        <div className={classes.stage}>
          <DeskMap home={home} />
        </div>
      )}
      {!isInstead && card}
    </div>
  )
}

/** The map with what belongs to the list next to it. */
function DeskMap({ home }: { home: Home }) {
  const { devices, chosen, browse, ticked, isOnlyList, setOnlyList } = home
  const { shown, isFiltered } = browse
  const drawn = useMemo(
    () => (isOnlyList ? [...shown, ...(chosen && !shown.includes(chosen) ? [chosen] : [])] : devices),
    [isOnlyList, shown, chosen, devices],
  )
  return (
    <HomeMap {...home} drawn={drawn} onPick={ticked?.add} onlyList={isFiltered ? { isOn: isOnlyList, onChange: setOnlyList } : undefined} />
  )
}

function PhoneHome({ home, shape }: { home: Home; shape: Shape }) {
  const { t } = useTranslation()
  const { chosen, isUnknown } = home
  const first = shape.isRaised ? SHEET_STOPS.length - 1 : CARD_STOP
  const of = chosen?.id ?? (shape.isRaised ? 'list' : undefined)
  const [rest, setRest] = useState<{ of: typeof of; stop: number }>({ of, stop: first })
  const stop = rest.of === of ? rest.stop : first
  const setStop = (next: number) => setRest({ of, stop: next })
  return (
    <div className={classes.phone} style={{ '--map-bottom': `${SHEET_STOPS[Math.min(stop, CARD_STOP)]! * 100}%` } as CSSProperties}>
      <SearchField isFloating isLong={isLong(home.devices)} browse={home.browse} onFocus={() => setStop(SHEET_STOPS.length - 1)} />
      <Sheet label={chosen?.name ?? t('trackers.heading')} of={chosen?.id} stops={SHEET_STOPS} stop={stop} onStop={setStop}>
        {isUnknown && <UnknownTracker isPage={false} />}
        {chosen && (
          <div className={classes.sheetCard}>
            <Card {...home} device={chosen} place={home.browse.placeOf(chosen)} />
          </div>
        )}
        {!chosen && !isUnknown && <Panel {...home} shape={shape} chosen={undefined} />}
      </Sheet>
      <HomeMap {...home} padding={sheetPadding(stop)} />
    </div>
  )
}
