import {
  type Icon,
  IconAddressBook,
  IconBell,
  IconCreditCard,
  IconLifebuoy,
  IconLink,
  IconList,
  IconMap2,
  IconMapPins,
  IconPackage,
  IconReceipt,
  IconRefresh,
  IconSettings,
  IconTags,
  IconUsers,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ParseKeys } from 'i18next'
import { rights } from '#contracts/lib/rights.ts'
import type { Feature } from '#contracts/reader/features.ts'
import { parseRole } from '#contracts/rules/user.ts'
import { useFeatures } from '#web/lib/other-backends/features.ts'
import { sessionQuery } from '#web/signed-in/user.queries.ts'

/** A page in the navigation; `may` is the required right, `feature` the required feature of the backend. */
export type Section = {
  to: string
  word: ParseKeys
  Icon: Icon
  may?: keyof typeof rights
  feature?: Feature
  covers?: RegExp
  letter?: string
  /** Whether a wide rail lists the page as well. */
  isInRail?: true
}

/** Sections shown in rail or tabs to every role. `covers` are the paths that highlight it; G followed by `letter` opens it. */
export const MAIN_SECTIONS: readonly Section[] = [
  { to: '/', word: 'nav.map', Icon: IconMap2, letter: 'm', covers: /^\/(map|trackers\/\d+.*)?[/]*$/ },
  {
    to: '/trackers',
    word: 'nav.trackers',
    Icon: IconList,
    letter: 't',
    covers: /^\/(trackers(\/add)?|conflicting.*|operators.*)[/]*$/,
  },
  { to: '/places', word: 'nav.places', Icon: IconMapPins, feature: 'places', letter: 'p', covers: /^\/places(\/.*)?$/ },
  { to: '/alerts', word: 'nav.alerts', Icon: IconBell, feature: 'alerts', letter: 'a', covers: /^\/alerts(\/.*)?$/ },
]

type SectionGroup = { word: ParseKeys; sections: readonly Section[] }

export const ACCOUNT_GROUPS: readonly [SectionGroup, SectionGroup, SectionGroup] = [
  {
    word: 'nav.manage',
    sections: [
      { to: '/public_links', word: 'nav.links', isInRail: true, Icon: IconLink, feature: 'links', covers: /^\/public_links/ },
      { to: '/contacts', word: 'nav.contacts', Icon: IconAddressBook, feature: 'contacts' },
      { to: '/tags', word: 'nav.tags', Icon: IconTags, feature: 'tags' },
    ],
  },
  {
    word: 'nav.purchases',
    sections: [
      {
        to: '/subscriptionSelector',
        word: 'nav.plans',
        isInRail: true,
        Icon: IconRefresh,
        may: 'buy',
        feature: 'subscriptions',
        covers: /^\/(subscription|link_subscription)/,
      },
      { to: '/orders', word: 'nav.orders', Icon: IconPackage, may: 'readOrders', feature: 'orders' },
      { to: '/invoices', word: 'nav.invoices', Icon: IconReceipt, may: 'readOrders', feature: 'invoices' },
      { to: '/payment_methods', word: 'nav.cards', Icon: IconCreditCard, may: 'buy', feature: 'paymentMethods' },
    ],
  },
  {
    word: 'nav.account',
    sections: [
      { to: '/administration/users', word: 'nav.team', isInRail: true, Icon: IconUsers, may: 'manageTeam', feature: 'team' },
      { to: '/account', word: 'nav.settings', Icon: IconSettings },
      { to: '/contact_us', word: 'nav.help', Icon: IconLifebuoy },
    ],
  },
]

const ACCOUNT_SECTIONS = ACCOUNT_GROUPS.flatMap(({ sections }) => sections)

/** Pages that a wide rail shows in addition to the main sections. */
export const RAIL_SECTIONS = ACCOUNT_SECTIONS.filter(({ isInRail }) => isInRail)

/** Highlight of the account button for a path: `folded` when a wide rail shows the page as well. */
export function accountHighlight(pathname: string): 'true' | 'folded' | undefined {
  const section = ACCOUNT_SECTIONS.find(({ to, covers }) => covers?.test(pathname) ?? pathname.startsWith(to))
  return section && (section.isInRail ? 'folded' : 'true')
}

/** Returns a filter for the sections that the backend has and the role may open; requests the role only while `isNeeded`. */
export function useSectionFilter(isNeeded: boolean) {
  const role = parseRole(useQuery({ ...sessionQuery(), enabled: isNeeded }).data?.role ?? '')
  const has = useFeatures()
  return (sections: readonly Section[]) =>
    sections.filter(({ may, feature }) => has(feature) && (!may || rights[may].some((allowed) => allowed === role)))
}
