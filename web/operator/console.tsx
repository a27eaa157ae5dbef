import { IconBan, IconMapQuestion, IconPlugConnectedX } from '@tabler/icons-react'
import { QueryClientProvider, useSuspenseQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { matchPath, useLocation } from 'react-router-dom'
import { STAFF_INVITATION_PATH, type StaffSession } from '#contracts/operator/staff.ts'
import { lazy } from '#web/lib/chunk.ts'
import { loadWords } from '#web/lib/i18n/i18n.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { SignIn } from '#web/operator/entry/sign-in.tsx'
import { sessionQuery } from '#web/operator/session/session.queries.ts'
import { consoleQueries, isSignedIn } from '#web/operator/session/session-state.ts'
import { VisiblePaths } from '#web/operator/session/visible-paths.ts'
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
  const screen = findScreenAt(pathname)
  if (!screen) {
    return (
      <Notice isPage icon={<IconMapQuestion size={30} />} title={t('error.notFound')}>
        {t('error.notFoundLead')}
      </Notice>
    )
  }
  if (!maySee(screen, staff.role)) {
    return (
      <Notice isPage icon={<IconBan size={30} />} title={t('operator.forbidden')}>
        {t('operator.askAdministrator')}
      </Notice>
    )
  }
  return (
    <VisiblePaths value={listScreensOf(staff.role).map(({ path }) => path)}>
      <screen.Screen />
    </VisiblePaths>
  )
}
