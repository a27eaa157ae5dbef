import {
  type Icon,
  IconId,
  IconInbox,
  IconListDetails,
  IconMapPin,
  IconPackages,
  IconReceipt,
  IconReceiptRefund,
  IconRouter,
  IconShieldCheck,
  IconSpeakerphone,
  IconSun,
  IconTag,
  IconTicket,
  IconTruckDelivery,
  IconUsers,
} from '@tabler/icons-react'
import type { ComponentType, LazyExoticComponent } from 'react'
import { matchPath } from 'react-router-dom'
import { staffRights } from '#contracts/lib/staff-rights.ts'
import { lazy } from '#web/lib/chunk.ts'
import { loadWords, type Words } from '#web/lib/i18n/i18n.ts'

type ConsoleScreen = {
  path: string
  /** The right that it needs; roles without it do not see its entry. */
  may: keyof typeof staffRights
  Screen: LazyExoticComponent<ComponentType>
  /** Its entry in the sidebar. */
  entry: { word: keyof Words['operator']['screens']; Icon: Icon }
  /** Whether it is reached from another screen with the same entry. */
  isDetail?: true
}

const customers = { word: 'customers', Icon: IconUsers } as const

/** The screens of the console, in the order of the sidebar. */
const SCREENS: readonly ConsoleScreen[] = [
  {
    path: '/operator',
    may: 'work',
    Screen: lazy(() => import('#web/operator/today/today-screen.tsx')),
    entry: { word: 'today', Icon: IconSun },
  },
  {
    path: '/operator/customers',
    may: 'readCustomers',
    Screen: lazy(() => import('#web/operator/customers/customers-screen.tsx')),
    entry: customers,
  },
  {
    path: '/operator/customers/:account',
    may: 'readCustomers',
    Screen: lazy(
      async () => (await Promise.all([import('#web/operator/customers/customer-screen.tsx'), loadWords(['inside', 'places'])]))[0],
    ),
    entry: customers,
    isDetail: true,
  },
  {
    path: '/operator/trackers',
    may: 'readCustomers',
    Screen: lazy(async () => (await Promise.all([import('#web/operator/trackers/trackers-screen.tsx'), loadWords(['inside'])]))[0]),
    entry: { word: 'trackers', Icon: IconMapPin },
  },
  {
    path: '/operator/stock',
    may: 'readStock',
    Screen: lazy(() => import('#web/operator/stock/stock-screen.tsx')),
    entry: { word: 'stock', Icon: IconPackages },
  },
  {
    path: '/operator/codes',
    may: 'readStock',
    Screen: lazy(() => import('#web/operator/codes/codes-screen.tsx')),
    entry: { word: 'codes', Icon: IconTicket },
  },
  {
    path: '/operator/gateways',
    may: 'handleStock',
    Screen: lazy(() => import('#web/operator/gateways/gateways-screen.tsx')),
    entry: { word: 'gateways', Icon: IconRouter },
  },
  {
    path: '/operator/orders',
    may: 'readStock',
    Screen: lazy(() => import('#web/operator/orders/orders-screen.tsx')),
    entry: { word: 'orders', Icon: IconTruckDelivery },
  },
  {
    path: '/operator/invoices',
    may: 'readMoney',
    Screen: lazy(() => import('#web/operator/invoices/invoices-screen.tsx')),
    entry: { word: 'invoices', Icon: IconReceipt },
  },
  {
    path: '/operator/withdrawals',
    may: 'readMoney',
    Screen: lazy(() => import('#web/operator/withdrawals/withdrawals-screen.tsx')),
    entry: { word: 'withdrawals', Icon: IconReceiptRefund },
  },
  {
    path: '/operator/prices',
    may: 'readMoney',
    Screen: lazy(() => import('#web/operator/prices/prices-screen.tsx')),
    entry: { word: 'prices', Icon: IconTag },
  },
  {
    path: '/operator/requests',
    may: 'readCustomers',
    Screen: lazy(() => import('#web/operator/requests/requests-screen.tsx')),
    entry: { word: 'requests', Icon: IconInbox },
  },
  {
    path: '/operator/claims',
    may: 'readCustomers',
    Screen: lazy(() => import('#web/operator/claims/claims-screen.tsx')),
    entry: { word: 'claims', Icon: IconShieldCheck },
  },
  {
    path: '/operator/announcements',
    may: 'helpCustomers',
    Screen: lazy(() => import('#web/operator/announcements/announcements-screen.tsx')),
    entry: { word: 'announcements', Icon: IconSpeakerphone },
  },
  {
    path: '/operator/staff',
    may: 'manageStaff',
    Screen: lazy(() => import('#web/operator/staff/staff-screen.tsx')),
    entry: { word: 'staff', Icon: IconId },
  },
  {
    path: '/operator/log',
    may: 'manageStaff',
    Screen: lazy(() => import('#web/operator/log/log-screen.tsx')),
    entry: { word: 'log', Icon: IconListDetails },
  },
]

export const maySee = ({ may }: ConsoleScreen, role: string) => staffRights[may].some((allowed) => allowed === role)

/** The screens in the sidebar. */
export const listScreensOf = (role: string) => SCREENS.filter((screen) => !screen.isDetail && maySee(screen, role))

export const findScreenAt = (pathname: string) => SCREENS.find(({ path }) => matchPath(path, pathname))
