import type { Reading } from './tolerant.ts'

/** A list of more pages than this is cut, so that a backend whose pages never end does not keep the portal loading. */
const MAX_PAGES = 100
/** After so many pages in a row that cannot be read, the others are given up. */
const MAX_FAILURES = 2

type Page = Pick<Extract<Reading, { ok: true }>, 'omitted' | 'next' | 'count'>
type Source = {
  /** The address of the first page, and that of the API. */
  url: string
  base: string
  /** Resolves to null when the page cannot be had. */
  readPage(address: string): Promise<(Page & { value: unknown[] }) | null>
}

/**
 * Appends the further pages of a list to the first. A page that cannot be read costs its entries: the one after it is found by its number.
 * Resolves to how many entries are missing in all; where the backend does not say how many there are, at least one.
 */
export async function appendPages(entries: unknown[], first: Page, { url, base, readPage }: Source): Promise<number> {
  const seen = new Set([url])
  let { omitted } = first
  let [isCut, failures] = [false, 0]
  for (let next = resolveNext(first.next, url, base); next && !seen.has(next) && failures < MAX_FAILURES; ) {
    if (seen.size === MAX_PAGES) {
      isCut = true
      break
    }
    seen.add(next)
    const page = await readPage(next)
    if (page) entries.push(...page.value)
    omitted += page?.omitted ?? 0
    failures = page ? 0 : failures + 1
    isCut ||= page === null
    next = page ? resolveNext(page.next, url, base) : findAfter(next)
  }
  return isCut ? Math.max((first.count ?? 0) - entries.length, omitted + 1) : omitted
}

/**
 * The address of the next page below that of the API. Behind a proxy many a backend names a host that only the proxy knows, and a path without
 * the part that the proxy has removed.
 */
function resolveNext(next: string | undefined, url: string, base: string): string | undefined {
  if (!next) return undefined
  const [here, there, root] = [new URL(url), new URL(next, url), new URL(base, url).pathname.replace(/\/$/, '')]
  const pathname = here.pathname.endsWith(there.pathname) ? here.pathname : there.pathname
  return new URL((pathname.startsWith(root) ? pathname : root + pathname) + there.search, url).href
}

/** The address of the page after one that cannot be read; undefined where pages have no numbers. */
function findAfter(address: string): string | undefined {
  const url = new URL(address)
  const read = (name: string) => Number(url.searchParams.get(name) ?? Number.NaN)
  const [page, after] = [read('page'), read('offset') + read('limit')]
  if (Number.isInteger(page)) url.searchParams.set('page', String(page + 1))
  else if (Number.isInteger(after)) url.searchParams.set('offset', String(after))
  return url.href === address ? undefined : url.href
}
