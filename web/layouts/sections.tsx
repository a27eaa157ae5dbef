import { type Icon, IconAddressBook, IconLink, IconList, IconMap2, IconSettings } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ParseKeys } from 'i18next'
import { rights } from '#contracts/rights.ts'
import { roleOf } from '#contracts/rules/role.ts'
import { accountQuery } from '#web/lib/trackers/queries.ts'

/** A page one can go to from anywhere; `may` is the right it takes. */
export type Section = { to: string; word: ParseKeys; Icon: Icon; may?: keyof typeof rights; covers?: RegExp }

/** Always in sight: the rail of a desktop, the tabs of a phone. `covers` are the paths that belong to one. */
export const MAIN: readonly Section[] = [
  { to: '/', word: 'nav.map', Icon: IconMap2, covers: /^\/(map|trackers\/\d+.*)?[/]*$/ },
  { to: '/trackers', word: 'nav.trackers', Icon: IconList, covers: /^\/trackers(\/add)?[/]*$/ },
]

/** Behind the account button. */
export const GROUPS: readonly { word: ParseKeys; sections: readonly Section[] }[] = [
  {
    word: 'nav.manage',
    sections: [
      { to: '/public_links', word: 'nav.publicLinks', Icon: IconLink },
      { to: '/contacts', word: 'nav.contacts', Icon: IconAddressBook },
    ],
  },
  { word: 'nav.purchases', sections: [] },
  { word: 'nav.account', sections: [{ to: '/account', word: 'nav.settings', Icon: IconSettings }] },
]

/** Filters what the signed-in role may open; asks for the role only while `isNeeded`. */
export function useAllowed(isNeeded: boolean) {
  const role = roleOf(useQuery({ ...accountQuery(), enabled: isNeeded }).data?.role ?? '')
  return (sections: readonly Section[]) => sections.filter(({ may }) => !may || rights[may].some((allowed) => allowed === role))
}
