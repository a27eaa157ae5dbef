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
import { roleOf } from '#contracts/rules/role.ts'
import { accountQuery } from '#web/trackers/trackers.queries.ts'

/** A page one can go to from anywhere; `may` is the right it takes. */
export type Section = {
  to: string
  word: ParseKeys
  Icon: Icon
  may?: keyof typeof rights
  covers?: RegExp
  letter?: string
  /** The short word under which a rail with room for it has the page too. */
  rail?: ParseKeys
}

/** Always in sight: the rail of a desktop, the tabs of a phone. `covers` are the paths that belong to one, `letter` goes there after G. */
export const MAIN: readonly Section[] = [
  { to: '/', word: 'nav.map', Icon: IconMap2, letter: 'm', covers: /^\/(map|trackers\/\d+.*)?[/]*$/ },
  {
    to: '/trackers',
    word: 'nav.trackers',
    Icon: IconList,
    letter: 't',
    covers: /^\/(trackers(\/add)?|conflicting.*|operators.*)[/]*$/,
  },
  { to: '/places', word: 'nav.places', Icon: IconMapPins, letter: 'p', covers: /^\/places(\/.*)?$/ },
  { to: '/alerts', word: 'nav.alerts', Icon: IconBell, letter: 'a', covers: /^\/alerts(\/.*)?$/ },
]

/** Behind the account button. */
export const GROUPS: readonly { word: ParseKeys; sections: readonly Section[] }[] = [
  {
    word: 'nav.manage',
    sections: [
      { to: '/public_links', word: 'nav.publicLinks', rail: 'nav.links', Icon: IconLink, covers: /^\/public_links/ },
      { to: '/contacts', word: 'nav.contacts', Icon: IconAddressBook },
      { to: '/tags', word: 'nav.tags', Icon: IconTags },
    ],
  },
  {
    word: 'nav.purchases',
    sections: [
      {
        to: '/subscriptionSelector',
        word: 'nav.subscriptions',
        rail: 'nav.plans',
        Icon: IconRefresh,
        may: 'buy',
        covers: /^\/(subscription|link_subscription)/,
      },
      { to: '/orders', word: 'nav.orders', Icon: IconPackage, may: 'readOrders' },
      { to: '/invoices', word: 'nav.invoices', Icon: IconReceipt, may: 'readOrders' },
      { to: '/payment_methods', word: 'nav.cards', Icon: IconCreditCard, may: 'buy' },
    ],
  },
  {
    word: 'nav.account',
    sections: [
      { to: '/administration/users', word: 'nav.users', Icon: IconUsers, may: 'manageTeam' },
      { to: '/account', word: 'nav.settings', Icon: IconSettings },
      { to: '/contact_us', word: 'nav.help', Icon: IconLifebuoy },
    ],
  },
]

const BEHIND = GROUPS.flatMap(({ sections }) => sections)

/** What a rail with room for it has beside the main sections. */
export const RAIL = BEHIND.flatMap((section) => (section.rail ? [{ ...section, word: section.rail }] : []))

/** Whether a path belongs to a page behind the account button: `folded` when the rail has it too, where there is room. */
export function markOfAccount(pathname: string): 'true' | 'folded' | undefined {
  const section = BEHIND.find(({ to, covers }) => covers?.test(pathname) ?? pathname.startsWith(to))
  return section && (section.rail ? 'folded' : 'true')
}

/** Filters what the signed-in role may open; asks for the role only while `isNeeded`. */
export function useAllowed(isNeeded: boolean) {
  const role = roleOf(useQuery({ ...accountQuery(), enabled: isNeeded }).data?.role ?? '')
  return (sections: readonly Section[]) => sections.filter(({ may }) => !may || rights[may].some((allowed) => allowed === role))
}
