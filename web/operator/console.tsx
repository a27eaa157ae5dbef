import { IconBan, IconMapQuestion, IconPlugConnectedX } from '@tabler/icons-react'
import { QueryClientProvider, useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { matchPath, Navigate, useLocation } from 'react-router-dom'
import { STAFF_INVITATION_PATH, type StaffSession } from '#contracts/operator/staff.ts'
import { lazy } from '#web/lib/chunk.ts'
import { loadWords } from '#web/lib/i18n/i18n.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { SignIn } from '#web/operator/entry/sign-in.tsx'
import { sessionQuery } from '#web/operator/session/session.queries.ts'
import { consoleQueries, isSignedIn } from '#web/operator/session/session-state.ts'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { ConsoleFrame } from './console-frame.tsx'
import { findScreenAt, listScreensOf, maySee } from './screens.ts'

const Invitation = lazy(async () => (await Promise.all([import('#web/operator/entry/invitation.tsx'), loadWords(['account'])]))[0])

export default function Console() {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  if (!useFeature('operator')) {
    return (
      <Notice isPage icon={<IconPlugConnectedX size={30} />} title={t('operator.none')}>
        {t('operator.noneLead')}
      </Notice>
    )
  }
  return (
    <QueryClientProvider client={consoleQueries}>
      <Suspense fallback={<SkeletonRows />}>{matchPath(STAFF_INVITATION_PATH, pathname) ? <Invitation /> : <SignedIn />}</Suspense>
    </QueryClientProvider>
  )
}

/** The sign-in takes the place of a screen at its address, so that one is back at once. */
function SignedIn() {
  const { data: state } = useSuspenseQuery(sessionQuery())
  const { pathname } = useLocation()
  if (!isSignedIn(state)) return <SignIn hasEnded={state === 'ended'} />
  return (
    <ConsoleFrame session={state}>
      <Part key={pathname}>
        <ScreenAt pathname={pathname} session={state} />
      </Part>
    </ConsoleFrame>
  )
}

function ScreenAt({ pathname, session: { staff } }: { pathname: string; session: StaffSession }) {
  const { t } = useTranslation()
  if (matchPath('/operator', pathname)) {
    const [first] = listScreensOf(staff.role)
    return first ? <Navigate to={first.path} replace /> : <Message icon={<IconBan size={30} />} title="nothing" />
  }
  const screen = findScreenAt(pathname)
  if (!screen) {
    return (
      <Notice isPage icon={<IconMapQuestion size={30} />} title={t('error.notFound')}>
        {t('error.notFoundLead')}
      </Notice>
    )
  }
  return maySee(screen, staff.role) ? <screen.Screen /> : <Message icon={<IconBan size={30} />} title="forbidden" />
}

function Message({ icon, title }: { icon: ReactNode; title: 'nothing' | 'forbidden' }) {
  const { t } = useTranslation()
  return (
    <Notice isPage icon={icon} title={t(`operator.${title}`)}>
      {t('operator.askAdministrator')}
    </Notice>
  )
}
