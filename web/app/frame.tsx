import { IconRefreshAlert } from '@tabler/icons-react'
import {
  type ComponentType,
  type LazyExoticComponent,
  type ReactNode,
  Suspense,
  useLayoutEffect,
  useState,
  useSyncExternalStore,
} from 'react'
import { useTranslation } from 'react-i18next'
import { Outlet, useLocation } from 'react-router-dom'
import { reloadAfterLoss } from '#web/app/start/reload.ts'
import { UpdateNotice } from '#web/app/update/update-notice.tsx'
import { ApiError } from '#web/lib/api/api-error.ts'
import { clearFailures } from '#web/lib/api/connection.ts'
import { isChunkFailure, lazy, preload } from '#web/lib/chunk.ts'
import { config } from '#web/lib/config.ts'
import { loadWords } from '#web/lib/i18n/i18n.ts'
import { log } from '#web/lib/log.ts'
import type { Layout, RouteName, ScreenRow } from '#web/lib/navigation/routing.ts'
import { showScreen } from '#web/lib/navigation/shown-screen.ts'
import { useFeatures } from '#web/lib/other-backends/features.ts'
import { hasOmitted, onOmitted } from '#web/lib/other-backends/omitted.ts'
import { session } from '#web/lib/session.ts'
import { ErrorBoundary, Failure, ServerError } from '#web/ui/feedback/error-boundary.tsx'
import { Notice, NoticeButton } from '#web/ui/feedback/notice.tsx'
import { SkeletonRows, SlowNote } from '#web/ui/feedback/skeleton.tsx'

/** Replaces a screen whose data or chunk failed to load, or that crashed. */
function ScreenFailure({ error, retry }: { error: unknown; retry: () => void }) {
  if (error instanceof ApiError) return error.isLeaving ? null : <Failure retry={retry} />
  return isChunkFailure(error) ? <LoadFailed /> : <Crashed error={error} retry={retry} />
}

function Boundary({ children, onRetry = clearFailures }: { children: ReactNode; onRetry?: () => void }) {
  const { key } = useLocation()
  return (
    <ErrorBoundary resetKey={key} fallback={(error, retry) => <ScreenFailure error={error} retry={retry} />} onRetry={onRetry}>
      {children}
    </ErrorBoundary>
  )
}

function Crashed({ error, retry }: { error: unknown; retry: () => void }) {
  if (!(error instanceof Error && error.name === 'AbortError')) log.failure('A screen crashed', error)
  return <ServerError retry={retry} />
}

/** Reloads by itself; shows a message only if reloading did not help. */
function LoadFailed() {
  const { t } = useTranslation()
  const [isReloading] = useState(reloadAfterLoss)
  if (isReloading) return <SkeletonRows />
  return (
    <Notice
      role="alert"
      isPage
      icon={<IconRefreshAlert size={30} />}
      title={t('error.chunkHeading')}
      action={<NoticeButton onClick={() => location.reload()}>{t('action.reload')}</NoticeButton>}
    >
      {t('error.chunk')}
    </Notice>
  )
}

const loaders = {
  navigation: () => import('#web/layouts/navigation-layout.tsx'),
  auth: () => import('#web/layouts/auth-layout.tsx'),
  bare: () => import('#web/layouts/bare-layout.tsx'),
  own: () => import('#web/layouts/own-layout.tsx'),
}
const withSharedWords = (layout: keyof typeof loaders) => {
  const load = async () => (await Promise.all([loaders[layout](), loadWords(['inside'])]))[0]
  return { load, Body: lazy(load) }
}
const layouts = {
  navigation: withSharedWords('navigation'),
  auth: { load: loaders.auth, Body: lazy(loaders.auth) },
  bare: withSharedWords('bare'),
  own: withSharedWords('own'),
}

const resolveLayout = (layout: Layout) => (layout === 'either' ? (session.isOpen() ? 'navigation' : 'bare') : layout)

/** Starts loading the files of a screen; its locale file has to wait for the language. */
export const loadFiles = ({ layout, screen }: ScreenRow) => {
  for (const load of [loaders[resolveLayout(layout)], screen]) load().catch(() => undefined)
}

/**
 * Loads a screen with its layout and locale file, so that it is rendered without a fallback. A failure occurs again when it is rendered.
 */
export const preloadScreen = (row: ScreenRow) =>
  Promise.all([preload(layouts[resolveLayout(row.layout)].load), preload(getLazyScreen(row).load)]).catch(() => undefined)

/** The outermost error boundary, for when a layout itself fails. */
export const Root = () => (
  <Boundary>
    <Outlet />
    <UpdateNotice />
  </Boundary>
)

export function Frame({ layout }: { layout: Layout }) {
  const Layout = layouts[resolveLayout(layout)].Body
  // Screens that were never left, because the login page was not rendered in between, show their loaded data.
  const followed = useSyncExternalStore(session.followed.subscribe, session.followed.read)
  return (
    <Suspense fallback={<SlowNote />}>
      <Layout key={followed}>
        <Outlet />
      </Layout>
    </Suspense>
  )
}

/** One lazy component per screen, so that routes that share a screen share its state. */
type LazyScreen = { load: ScreenRow['screen']; Body: LazyExoticComponent<ComponentType>; id: number }
const screens = new Map<ScreenRow['screen'], LazyScreen>()
const getLazyScreen = ({ screen, words }: ScreenRow) => {
  const load = async () => (await Promise.all([screen(), loadWords(words)]))[0]
  const known = screens.get(screen) ?? { load, Body: lazy(load), id: ++lastId }
  screens.set(screen, known)
  return known
}
let lastId = 0

function Screen({ row }: { row: ScreenRow }) {
  const { Body, id } = getLazyScreen(row)
  const retry = () => {
    screens.delete(row.screen)
    clearFailures()
  }
  return (
    <>
      <PageTitle name={row.name} />
      <Boundary onRetry={retry}>
        <Suspense
          key={id}
          fallback={
            <>
              <SkeletonRows />
              <SlowNote />
            </>
          }
        >
          <Body />
          <Shown />
        </Suspense>
      </Boundary>
      <Omitted />
    </>
  )
}

const OmittedNote = lazy(() => import('#web/ui/feedback/omitted-note.tsx'))
/** Loaded with the first omitted entry; a backend that follows the contract never needs it. */
const Omitted = () =>
  useSyncExternalStore(onOmitted, hasOmitted) && (
    <Suspense>
      <OmittedNote />
    </Suspense>
  )

/** Next to a screen in its Suspense, so that it exists only with the screen. Layout effects follow what is hidden during a reload. */
function Shown() {
  const { pathname } = useLocation()
  useLayoutEffect(() => showScreen(pathname), [pathname])
  return null
}

const Gate = lazy(() => import('./gate.tsx'))

export function GatedScreen({ row, otherwise }: { row: ScreenRow; otherwise: ScreenRow }) {
  const has = useFeatures()
  // Only the mock server configures a demo.
  const isThere = row.isForDevelopers ? config().demo !== undefined : (row.features?.some(has) ?? true)
  if (!isThere) return <Screen row={otherwise} />
  if (!row.may) return <Screen row={row} />
  return (
    <Boundary>
      <Suspense fallback={<SkeletonRows />}>
        <Gate may={row.may} otherwise={<Screen row={otherwise} />}>
          <Screen row={row} />
        </Gate>
      </Suspense>
    </Boundary>
  )
}

/** Sets `{productName} - {label}` as the document title; follows a change of language. */
function PageTitle({ name }: { name: RouteName }) {
  const { t } = useTranslation()
  return <title>{`${config().productName} - ${t(`title.${name}`)}`}</title>
}
