import type { Reading } from './tolerant.ts'

/** A list is cut after this many pages, so that a backend whose pages never end does not keep the portal loading. */
const MAX_PAGES = 100
/** After this many unreadable pages in a row no further page is read. */
const MAX_FAILURES = 2

/** A list of more pages than this is requested in larger ones. */
const MANY_PAGES = 3
const LARGE_PAGE = 500
/**
 * Of a list longer than this, the first entries are shown before the last have arrived; a map fits its view to a shorter list only when it
 * is complete.
 */
const LONG_LIST = 50

type Page = Pick<Extract<Reading, { ok: true }>, 'omitted' | 'next' | 'count'>
type PageOfList = Page & { value: unknown[] }
type Source = {
  /** The URL of the first page, and that of the API. */
  url: string
  base: string
  /** Resolves to null when the page cannot be fetched. */
  readPage(address: string): Promise<PageOfList | null>
  /** URLs, without a query, of lists whose backend ignores the requested page size; larger pages are not requested again. */
  fixedSizes: Set<string>
  /** Called with the entries so far, whenever their number has doubled. */
  onPart?: ((entries: unknown[]) => void) | undefined
}

/**
 * Fetches the remaining pages of a list and appends them; requests larger pages for a long list. When a page fails, only its entries are
 * lost: the next page is found by its number. Resolves to the number of missing entries; at least one if the backend does not tell the
 * total.
 */
export async function appendPages(entries: unknown[], first: Page, source: Source): Promise<number> {
  const { url, base, readPage } = source
  const seen = new Set([url])
  const tell = tellWhenDoubled(source.onPart)
  let [{ omitted }, maySize] = [first, true]
  let [isCut, failures] = [false, 0]
  for (let next = resolveNext(first.next, url, base); next && !seen.has(next) && failures < MAX_FAILURES; ) {
    if ((first.count ?? entries.length) > LONG_LIST) tell(entries)
    const pages = first.count === undefined ? seen.size + 1 : first.count / Math.max(1, entries.length / seen.size)
    if (maySize && pages > MANY_PAGES) {
      maySize = false
      const larger = await readLarger(entries.length / seen.size, next, source)
      if (larger) {
        entries.splice(0, entries.length, ...larger.value)
        omitted = larger.omitted
        next = resolveNext(larger.next, url, base)
        continue
      }
    }
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

function tellWhenDoubled(onPart: Source['onPart']) {
  let told = 0
  return (entries: readonly unknown[]) => {
    if (!onPart || entries.length === 0 || entries.length < 2 * told) return
    told = entries.length
    onPart([...entries])
  }
}

/** Names of the parameter for the page size. */
const SIZE_NAMES = ['page_size', 'limit', 'per_page', 'pageSize', 'perPage', 'size', 'page[size]']
const UNNAMED_SIZES = ['page_size', 'per_page', 'limit']

/** Requests the first page again in a larger size, if the backend lets a client choose it; otherwise null. */
async function readLarger(size: number, next: string, { url, readPage, fixedSizes }: Source) {
  const [list = ''] = url.split('?')
  if (size === 0 || size >= LARGE_PAGE || fixedSizes.has(list)) return null
  const named = SIZE_NAMES.filter((name) => new URL(next).searchParams.has(name))
  const large = new URL(url)
  for (const name of named.length > 0 ? named : UNNAMED_SIZES) large.searchParams.set(name, String(LARGE_PAGE))
  const page = await readPage(large.href)
  if (page && page.value.length > size) return page
  fixedSizes.add(list)
  return null
}

/**
 * The URL of the next page below that of the API. Behind a proxy many backends send a host that only the proxy can reach, and a path that
 * the proxy has shortened or extended.
 */
function resolveNext(next: string | undefined, url: string, base: string): string | undefined {
  if (!next) return undefined
  const [here, there, root] = [new URL(url), new URL(next, url), new URL(base, url).pathname.replace(/\/$/, '')]
  const isSame = here.pathname.endsWith(there.pathname) || there.pathname.endsWith(here.pathname)
  const pathname = isSame ? here.pathname : there.pathname
  return new URL((pathname.startsWith(root) ? pathname : root + pathname) + there.search, url).href
}

/** The URL of the page after an unreadable one; undefined where pages have no numbers. */
function findAfter(address: string): string | undefined {
  const url = new URL(address)
  const read = (name: string) => Number(url.searchParams.get(name) ?? Number.NaN)
  const [page, after] = [read('page'), read('offset') + read('limit')]
  if (Number.isInteger(page)) url.searchParams.set('page', String(page + 1))
  else if (Number.isInteger(after)) url.searchParams.set('offset', String(after))
  return url.href === address ? undefined : url.href
}
